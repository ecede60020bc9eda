// epsilary: privacy-amplification theorems with proven digits. The one header of the library; it needs nothing but the
// standard library, and the command line is written on it alone.
//
//   const auto r = epsilary::evaluate("feldman2021-clones", {{"eps0", 1}, {"n", "1e4"}, {"delta", "1e-6"}});
//   if (r.guarantee) use(r.value.text());
//
// Numbers go in as text and come out as text: 1e-6 is one millionth, and what comes out is rounded to its safe side. A
// number that is not there cannot be read. Whatever cannot be done is an Error, which says what is wrong and what to
// do. Every function may be called from several threads at once.
#pragma once

#include <array>
#include <atomic>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace epsilary {

// ---- what goes wrong -------------------------------------------------------------------------------------

// The numbers are the exit codes of the command line.
enum class Problem { could_not = 1, usage = 2, outside = 3, check_failed = 4, unresolved = 5, interrupted = 130 };

class Error : public std::runtime_error {
 public:
  Error(Problem kind, const std::string& what, std::string next_step, std::string parameter_at_fault = {})
      : std::runtime_error(what), problem(kind), next(std::move(next_step)), parameter(std::move(parameter_at_fault)) {}
  Problem problem;
  std::string next;       // what to do about it
  std::string parameter;  // the key at fault, with which what() begins; empty when it is none alone
};

// ---- numbers ---------------------------------------------------------------------------------------------

// A number that goes in, exactly as it is written: 1e-6, or 1/3. A double stands for the shortest decimal that reads as
// it. Where a grid is asked for, also a list "1e3,1e4", a range "0.05:4:80" or "1e2:1e6:5:log", or a tie to other
// parameters "1/n".
class Value {
 public:
  Value(std::string text) : text_(std::move(text)) {}
  Value(std::string_view text) : text_(text) {}
  Value(const char* text) : text_(text) {}
  Value(double x);
  template <std::integral I>
  Value(I x) : text_(std::to_string(x)) {}
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

// Keys and values; in a grid the last one runs fastest.
using Parameters = std::vector<std::pair<std::string, Value>>;
using Pairs = std::vector<std::pair<std::string, std::string>>;

// A number that comes out, or the reason why there is none. Reading what is not there throws that reason.
class Number {
 public:
  enum class Rounded { down, up };

  Number() = default;
  Number(std::string text, Rounded to) : text_(std::move(text)), rounded_(to) {}
  static Number none(std::string reason);

  explicit operator bool() const { return !text_.empty(); }
  const std::string& text() const;  // decimal digits, rounded to the safe side
  double as_double() const;         // rounded further to the same side

 private:
  std::string text_, missing_ = "there is no number";
  Rounded rounded_ = Rounded::up;
};

// ---- what is in the house --------------------------------------------------------------------------------

struct Parameter {
  std::string key, meaning;
  std::string unit;     // where it may be mistaken
  std::string domain;   // "0 < delta < 1"
  std::string example;  // a value
};
const std::vector<Parameter>& parameters();

// One form of a theorem. Forms with the same id differ in the parameters they need.
struct Statement {
  std::string id, title, paper, source, formula;  // paper: balle2020, with which the id begins
  std::string protocol;
  std::string quantity;  // epsilon, delta, rdp, risk, ...
  std::string side;      // upper, lower, exact, estimate
  std::string standing;  // proved, repaired, published, unsound, rate, approximate
  std::string worth;     // the standing in words
  std::string note;      // the erratum, in one sentence
  std::string proof;     // where it is written
  std::string adjacency, view, neighbours;
  std::string unit;                       // in which its noise is measured
  std::vector<std::string> needs, takes;  // keys of parameters: needed, optional
  std::vector<std::string> rises, falls, turns;
  std::vector<std::string> assumes;  // hypotheses
  bool reliable = false;             // proved or repaired
  bool bracket = false;              // its value is known between two ends, as narrow as asked or as work allows
};
const std::vector<Statement>& statements();

// Only those that have all that is said here; a word is looked for in every text.
struct Filter {
  std::string protocol, paper, quantity, word;
};
std::vector<Statement> statements(const Filter& filter);
// Every form of one statement.
std::vector<Statement> describe(std::string_view id);
// A call of the command line that runs.
std::string example(const Statement& statement);
// The proofs that its field `proof` names, whole, in Markdown; empty where none is written here.
std::string proof_text(const Statement& statement);
// The values that a text asks for: one, a list or a range, one by one. A tie and what is no number stay as they are.
std::vector<std::string> values(const std::string& key, const std::string& text);

// Two analyses of one protocol, and what the second does in place of the first.
struct Step {
  std::string looser, tighter, replaced;
};
struct Protocol {
  std::string name, words, example;
  std::vector<Step> chain;
};
const std::vector<Protocol>& protocols();

struct Figure {
  std::string id, source, caption;
  std::size_t rows = 0;
};
std::vector<Figure> figures();

struct Claim {
  std::string id, source, text, verdict, because;
};
std::vector<Claim> claims();

// ---- how it is asked -------------------------------------------------------------------------------------

struct Options {
  int digits = 6;
  std::string precision = "ball";  // certified; or double, mp50
  int patience = 1;                // how many times the usual work, some seconds at most, an evaluation may cost
  int threads = 0;                 // 0: every core
  std::string adjacency;           // replace, remove; empty: what the statements agree on, else what is usual
  std::string view;                // usual, count-hidden, told-steps
  bool dry_run = false;            // only count the evaluations
  // Set it, and the work ends soon, with Problem::interrupted.
  const std::atomic<bool>* stop = nullptr;
};

// For what takes long.
struct Watch {
  // Called some times a second, from another thread, with the rows that are ready and all of them; false stops the
  // work.
  std::function<bool(std::size_t, std::size_t)> progress;
  const std::atomic<bool>* stop = nullptr;       // set it, and the work stops after the cells in hand
  std::function<void(const std::string&)> note;  // what was done so far, in a sentence
};

// What every answer has.
struct Answer {
  int digits = 6;
  std::size_t evaluations = 0;
  std::vector<std::string> notes;  // what was given and not used
  std::optional<Error> problem;    // why no row has a number
};

// ---- evaluate --------------------------------------------------------------------------------------------

struct Result {
  const Statement* statement = nullptr;  // of statements()
  std::string status;   // ok, wide (proved, in a bracket wider than asked), vacuous (true and useless), outside (a
                        // hypothesis fails), unresolved
  std::string reason;   // why there is no number, and what else is to be said of this row
  Number value;         // the end that is safe for its side
  Number lower, upper;  // where certified, they enclose the exact value of the formula
  bool certified = false;
  bool answers = false;    // it is about this very question
  bool guarantee = false;  // and it may be relied on: certified, and the statement proved or repaired
  Pairs params;            // what was given and matters
  Pairs at;                // what the formula chose
  Pairs extras;            // delta_total and further numbers of the statement

  explicit operator bool() const { return static_cast<bool>(value); }
};

// One statement at one point, in the form that the parameters allow.
Result evaluate(const std::string& id, const Parameters& parameters, const Options& options = {});

struct Skipped {
  std::string id, needs;
};
struct Evaluations : Answer {
  std::vector<Result> results;
  std::vector<Skipped> skipped;  // statements that lack parameters, when none was named
  bool all_statements = false;
};
// Several statements at every point of a grid; without ids, every statement that the parameters allow. At one point
// they are ordered by what they are about, the tightest first.
Evaluations evaluate_all(const std::vector<std::string>& ids, const Parameters& parameters,
                         const Options& options = {});
// One statement at many points.
std::vector<Result> evaluate_points(const std::string& id, const std::vector<Parameters>& points,
                                    const Options& options = {});

// Many points in columns. A parameter has some values, and each point the number of one of them; without numbers, every
// point has the one value.
struct Column {
  std::string key;
  std::vector<Value> values;
  std::vector<std::uint32_t> at = {};
};
struct Columns {
  std::vector<Column> columns;
  std::size_t points = 1;
};
std::vector<Result> evaluate_points(const std::string& id, const Columns& points, const Options& options = {},
                                    const Watch& watch = {});
// The same in double without a struct for each: never certified.
struct Doubles {
  std::vector<double> values;        // as computed; NaN where there is none
  std::vector<std::uint8_t> status;  // a number in statuses()
  const Statement* statement = nullptr;
};
Doubles evaluate_doubles(const std::string& id, const Columns& points, const Options& options = {},
                         const Watch& watch = {});
const std::vector<std::string>& statuses();

// ---- laws of one's own -----------------------------------------------------------------------------------

// A mechanism that is run some times: by the laws of what it shows on a data set and on its neighbour, as probabilities
// of the same outcomes; or a step of DP-SGD with Gaussian noise, `multiplier` times the clipping norm, that takes a
// record with probability `rate`.
struct Mechanism {
  std::vector<Value> p = {}, q = {};
  bool weights = false;  // they need not add up to one: each is divided by the sum of all
  bool one_way = false;  // p against q alone, and not the larger of both ways; for all mechanisms together
  Value multiplier = "", rate = "1";
  bool fixed_size = false;  // batches of fixed size drawn afresh, a record replaced; not Poisson batches, one removed
  std::uint64_t times = 1;
};
struct Composed : Answer {
  std::string status;   // as of a Result: ok, wide, unresolved, outside (no eps is enough)
  Number lower, upper;  // the exact value lies between them
  std::string quantity, neighbours;
  Pairs params;  // where it was asked
};
// The exact delta of all of them together at `eps`, or the least eps at `delta`, whichever is given; of the two
// neighbours either way round, the larger. Of batches of fixed size the value is that of the trade-off functions of the
// steps composed, which no run exceeds.
Composed compose(const std::vector<Mechanism>& mechanisms, const Parameters& at, const Options& options = {});

// ---- solve -----------------------------------------------------------------------------------------------

struct Solution {
  std::string status;  // found, everywhere, nowhere, undecided
  Pairs params;        // what was given
  Number value;        // of the unknown: closest to breaking the target, and proved to meet it
  std::string tried;   // the value, or where the search ended
  std::string bound_at_value;
  std::string beyond, bound_beyond;  // the neighbour that is proved to break the target
  std::string delta_total, note;
  std::optional<Error> problem;
};
struct Solutions : Answer {
  const Statement* statement = nullptr;
  std::string unknown, target;
  bool has_note = false;  // its rows have something to say of their point
  std::vector<Solution> points;
};
Solutions solve(const std::string& id, const std::string& unknown, const Value& target, const Parameters& parameters,
                const Options& options = {});

// ---- compare ---------------------------------------------------------------------------------------------

struct Line {
  Pairs params, values;  // what varies; the value of each bound, or its status
  std::string tightest, ratio, contradiction;
  bool guarantee = false;  // of the tightest
};
struct Comparison : Answer {
  std::vector<const Statement*> statements;
  std::vector<Line> lines;
  std::vector<std::string> summary;
};
Comparison compare(const std::vector<std::string>& ids, const Parameters& parameters, const Options& options = {});

// ---- tightness -------------------------------------------------------------------------------------------

struct Analysis {
  std::string protocol;
  Pairs where;  // what varies over the grid
  Result result;
  std::string ratio;  // to the best lower bound
};
struct Sandwich {
  std::string protocol;
  Pairs where;
  Number lower, upper;  // what is proved
  std::string lower_by, upper_by;
  std::string words;
};
struct Loss {
  std::string protocol;
  Pairs where;
  std::string factor;
  Step step;
};
struct Tightness : Answer {
  std::vector<Analysis> analyses;  // from the loosest to what cannot be beaten
  std::vector<Sandwich> sandwiches;
  std::vector<Loss> losses;
};
Tightness tightness(const std::vector<std::string>& protocols, const Parameters& parameters,
                    const Options& options = {});

struct Admission {
  std::string protocol;
  const Statement* statement = nullptr;
  std::string status;  // as of a Solution, or "not asked"
  Number value;        // of the unknown
  std::string note;
};
struct Design : Answer {
  std::string unknown, target;
  std::vector<Admission> admissions;
  std::vector<std::string> summary;
  bool any = false;  // some analysis admits some value
};
// What each analysis of the protocols admits for an epsilon of at most `target`.
Design design(const std::vector<std::string>& protocols, const std::string& unknown, const Value& target,
              const Parameters& parameters, const Options& options = {});

// ---- protocols that run ----------------------------------------------------------------------------------

// How often a protocol is run, from which seed, and with which probability everything said holds. The same seed gives
// the same bytes on any number of threads.
struct Repetition {
  Value runs = "";  // empty: as many as is usual, 10^4 to simulate and 10^6 to audit
  std::uint64_t seed = 1;
  Value confidence = "0.99";
};
// Its parameters, when they are left out.
Parameters simulated_by_default(const std::string& protocol);
Parameters audited_by_default(const std::string& protocol);
// Those that can be simulated; every one of protocols() can be audited.
const std::vector<std::string>& simulated_protocols();

// A statement, and what the runs show of it.
struct Simulated {
  std::string what;
  std::string statement;          // its id, or a formula
  std::string side;               // exact, upper, lower, estimate (from above)
  std::string stated, simulated;  // a number each
  std::string low, high;          // of what is simulated, for every law
  bool agrees = true;             // false: the interval lies on the wrong side
};
struct Simulation : Answer {
  std::string protocol;
  Pairs where;
  std::uint64_t runs = 0;
  std::string confidence;  // that all intervals hold
  std::vector<Simulated> rows;
};
// Runs a protocol and holds the counts, loads, bits, variances and risks against the statements about them.
Simulation simulate(const std::string& protocol, const Parameters& parameters, const Repetition& repetition = {},
                    const Options& options = {}, const Watch& watch = {});

struct Audit : Answer {
  std::string protocol;
  Pairs where;
  std::string data;        // the two data sets in words
  std::string randomizer;  // which was run
  std::uint64_t runs = 0, chosen_on = 0, hits = 0, misses = 0;
  std::string confidence;
  Number measured;          // epsilon is at least this, with that confidence, by counting alone
  Number attained;          // what these two data sets cost by a proof
  std::string attained_by;  // the statement that says so
  std::string share;        // of what is attained, measured
  Number lower, upper;      // what is proved of the protocol
  std::string lower_by, upper_by;
  struct Compared {
    std::string bound;
    Number value;
    bool below = true;  // what was measured lies below it
  };
  std::vector<Compared> uppers;  // every proved upper bound
};
// Runs a protocol on the worst known pair of data sets and counts how well they can be told apart.
Audit audit(const std::string& protocol, const Parameters& parameters, const Repetition& repetition = {},
            const Options& options = {}, const Watch& watch = {});

// ---- sweep -----------------------------------------------------------------------------------------------

// A spec, by its text or by a name: a file (.toml) or the id of a figure; or bounds over a grid.
struct Sweep {
  std::string spec, toml;
  std::vector<std::string> bounds;
  Parameters parameters;
  std::string journal;    // a file that keeps what is computed; empty: none
  bool any_size = false;  // also more than ten million cells
};
// Gives the rows one by one, in order; stopped, it throws Problem::interrupted, and with a journal goes on when asked
// again.
void sweep(const Sweep& sweep, const Options& options, const Watch& watch,
           const std::function<void(const Result&)>& row);
std::vector<Result> sweep(const Sweep& sweep, const Options& options = {}, const Watch& watch = {});

// How long it would take.
struct Plan {
  std::size_t rows = 0, different = 0, timed = 0;
  double seconds = 0;  // of one thread
  std::vector<std::string> notes;
};
Plan plan(const Sweep& sweep, const Options& options = {});

// ---- claims, figures -------------------------------------------------------------------------------------

struct Finding {
  Claim claim;
  Pairs numbers;
  std::vector<std::string> broken, marks;
};
struct Findings : Answer {
  std::vector<Finding> findings;
};
// The papers' claims; without ids all of them. With a journal, what it holds is not computed again.
Findings check(const std::vector<std::string>& ids, const Options& options = {}, const Watch& watch = {},
               const std::string& journal = {});

// One picture: of a figure's id or a spec file, which are computed, or of a table (.csv), which is not.
struct Drawing {
  std::string what;
  std::string file;   // .svg, .png, .pdf, .tex, or .gp for the script; empty: named after the figure
  std::string width;  // page or column, of a paper; empty: column for .tex, else page
  std::string backend = "gnuplot";
  std::string like;          // draw the table as this figure or spec says; or
  std::string x, y, colors;  // these columns
  bool log_x = false, log_y = false;
};
struct Drawn : Answer {
  std::size_t rows = 0;
  std::string file;
};
Drawn draw(const Drawing& drawing, const Options& options = {}, const Watch& watch = {});

// What is drawn, as data, for a renderer of one's own.
enum class Dash { solid, dashed, dotted, dash_dot, points };
struct Curve {
  std::vector<double> x, y;
  std::vector<bool> faded;  // true where the bound says nothing useful
  std::string label;
  Dash dash = Dash::solid;
  std::string color;
  double width = 2;
};
struct Band {
  std::vector<double> x, low, high;
  std::string label, color;
};
// Rectangles side by side, each around a point of the grid.
struct HeatMap {
  std::vector<double> x, y;              // ascending
  std::vector<std::optional<double>> z;  // z[i * y.size() + j] at (x[i], y[j])
  std::string label;
  bool logarithmic = false;
  std::optional<double> from, to;       // values beyond have the colour of the end
  std::vector<std::string> categories;  // not empty: z counts them, and each has a colour
  std::vector<std::string> category_colors;
};
// A line along which a map has one value, in pieces of two points.
struct Contour {
  std::string level;
  std::vector<std::array<double, 4>> pieces;  // x0 y0 x1 y1
};
struct Scale {
  std::string label;
  bool logarithmic = false;
  std::optional<double> from, to;  // neither: as far as the data reach
};
struct Picture {
  Scale x, y;
  std::vector<Curve> curves;
  std::vector<Band> bands = {};
  std::optional<HeatMap> map = {};
  std::vector<Contour> contours = {};
  std::string title = {};                            // the parameters that are fixed
  std::vector<std::vector<std::string>> cells = {};  // not empty: a table instead of a picture, its first row the heads
  unsigned width = 860, height = 500;
  unsigned font = 13;  // points
};
Picture picture(const Drawing& drawing, const Options& options = {}, const Watch& watch = {});
// The colours of the house, in their order, and the shades of its maps from dark to light.
const std::vector<std::string>& colors();
const std::vector<std::string>& shades();

// The papers' figures with their tables and scripts, and their claims, on one page in a folder; without ids all of
// them.
Answer reproduce(const std::vector<std::string>& ids, const std::string& folder, const std::string& backend = "gnuplot",
                 const Options& options = {}, const Watch& watch = {});

// ---- as text ---------------------------------------------------------------------------------------------

enum class Format { text, csv, json, md };
std::optional<Format> format_named(std::string_view name);

struct Table {
  std::vector<std::string> columns;
  std::vector<std::vector<std::string>> rows;
};
Table table(const std::vector<Statement>& statements);
Table table(const std::vector<Parameter>& parameters);
Table table(const std::vector<Protocol>& protocols);
Table table(const std::vector<Figure>& figures);
Table table(const std::vector<Claim>& claims);

std::string write(const Table& table, Format format, int digits = 6, const std::string& spec = {});
std::string write(const std::vector<Statement>& statements, Format format);  // at length
std::string write(const Evaluations& answer, Format format, bool color = false);
std::string write(const Composed& answer, Format format);
std::string write(const Solutions& answer, Format format);
std::string write(const Comparison& answer, Format format);
std::string write(const Tightness& answer, Format format);
std::string write(const Design& answer, Format format);
std::string write(const Findings& answer, Format format);
std::string write(const Simulation& answer, Format format);
std::string write(const Audit& answer, Format format);

// A sweep as bytes in pieces, made as the rows come.
struct Written : Answer {
  std::vector<std::string> pieces;
  std::size_t rows = 0;
};
Written write_sweep(const Sweep& sweep, Format format, bool color = false, const Options& options = {},
                    const Watch& watch = {});

// Writes beside the file and then renames, so that the file is either the old one or the whole new one.
void write_file(const std::string& path, const std::vector<std::string>& pieces);

// ---- train -----------------------------------------------------------------------------------------------

// A training run on images of digits, by its text or by a name: a file (.toml), or one that ships with the program.
struct Training {
  std::string spec, toml;
  std::string data;     // the folder with the four files of MNIST
  std::string journal;  // a file that keeps how far it is; empty: none
  int seeds = 0;        // 0: as the spec says
};
// How far it is.
struct TrainingState {
  std::string sigma;  // of the run in hand, where it has noise by that name
  std::uint64_t seed = 0;
  std::size_t done = 0, total = 0;  // rounds, of all runs
  std::optional<double> accuracy;   // in percent, when the test images were last looked at
  std::string epsilon;              // there, by the first accountant
};
struct TrainingWatch {
  std::function<void(const TrainingState&)> progress;  // after every round
  const std::atomic<bool>* stop = nullptr;             // set it, and the work stops after the round in hand
};
struct Trained : Answer {
  std::string spec;    // its id
  std::string origin;  // spec, seeds and data, in words
  // For each sigma and number of rounds T: a row "training" with the accuracies in percent, their mean, deviation and
  // the mean loss, and a row for each accountant with its epsilon.
  Table table;
};
Trained train(const Training& training, const Options& options = {}, const TrainingWatch& watch = {});

struct TrainingAbout {
  std::string id, source, caption;
  std::uint32_t seeds = 0, rounds = 0;
};
std::vector<TrainingAbout> trainings();
Table table(const std::vector<TrainingAbout>& trainings);
std::string write(const Trained& answer, Format format);

// ---- words -----------------------------------------------------------------------------------------------

// "; did you mean a or b?" with the names closest to what was typed, or nothing when none is close.
std::string did_you_mean(std::string_view typed, const std::vector<std::string>& names, std::size_t most = 1);

// A count for reading: 12 345 678.
std::string grouped(std::size_t count);

// The version, and the sources the numbers come from: the same fingerprint gives the same bytes.
std::string version();
std::string fingerprint();

}  // namespace epsilary
