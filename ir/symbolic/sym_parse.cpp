// Reads symbolic expressions from Python syntax.
//
//   expression = operands and, from the loosest to the tightest, comparisons, |, &, + -, * / // %,
//                unary + - ~, **
//   atom       = integer | float | name | name(expression, ...) | (expression) | (expression, ...)
//   names      : words joined by dots. True False oo nan int_oo are constants; Symbol("any text")
//                is a symbol whose name is not such a word; undefined(reason) is an undefined
//                expression
#include "fx/ir/support/pluralize.h"
#include "fx/ir/support/status.h"
#include "fx/ir/support/text_cursor.h"
#include "fx/ir/symbolic/sym_expr_internal.h"

#include "fmt/format.h"
#include "llvm/ADT/SmallVector.h"

#include <limits>
#include <string>

namespace fx {
namespace {

using internal::UndefinedReason;

using Exprs = llvm::SmallVector<SymExpr, 8>;

std::string reason_of(SymExpr undefined) {
  const absl::Status status = undefined.status();
  return std::string(status.message().data(), status.message().size());
}

// Recursive descent; the depth of nesting is bounded.
class Parser {
 public:
  Parser(SymExprTable& table, std::string_view text) : table_(table), cursor_(text) {}

  absl::StatusOr<SymExpr> parse() { return comparison(); }
  const internal::TextCursor& cursor() const { return cursor_; }
  internal::TextCursor& cursor() { return cursor_; }

 private:
  /// Counts nesting during its lifetime.
  class Level {
   public:
    explicit Level(Parser& parser) : parser_(parser) { ++parser_.level_; }
    ~Level() { --parser_.level_; }
    bool too_deep() const { return parser_.level_ > kMaxSymExprDepth; }

   private:
    Parser& parser_;
  };

  absl::Status too_deep() {
    return cursor_.error(
        fmt::format("this expression is nested more than {} levels deep", kMaxSymExprDepth));
  }

  /// The result of a builder, or the reason why it is undefined.
  absl::StatusOr<SymExpr> built(size_t position, SymExpr e) {
    if (!e.is_undefined() || names_undefined_) return e;
    return cursor_.error_at(position, reason_of(e));
  }

  absl::StatusOr<SymExpr> comparison() {
    const Level level(*this);
    if (level.too_deep()) return too_deep();
    FX_ASSIGN_OR_RETURN(const SymExpr left, disjunction());
    const size_t position = cursor_.position();
    SymKind relation;
    if (!relation_sign(relation)) return left;
    FX_ASSIGN_OR_RETURN(const SymExpr right, disjunction());
    FX_ASSIGN_OR_RETURN(const SymExpr result,
                        built(position, table_.compare(relation, left, right)));
    const size_t after = cursor_.position();
    SymKind second;
    if (relation_sign(second))
      return cursor_.error_at(after, "comparisons cannot be chained; write (a < b) & (b < c)");
    return result;
  }

  bool relation_sign(SymKind& relation) {
    struct Sign {
      std::string_view text;
      SymKind kind;
    };
    static constexpr Sign kSigns[] = {{"<=", SymKind::kLe}, {">=", SymKind::kGe},
                                      {"==", SymKind::kEq}, {"!=", SymKind::kNe},
                                      {"<", SymKind::kLt},  {">", SymKind::kGt}};
    for (const Sign& sign : kSigns) {
      if (!consume(sign.text)) continue;
      relation = sign.kind;
      return true;
    }
    return false;
  }

  absl::StatusOr<SymExpr> disjunction() {
    FX_ASSIGN_OR_RETURN(SymExpr first, conjunction());
    if (!at("|")) return first;
    Exprs operands = {first};
    while (consume("|")) {
      FX_ASSIGN_OR_RETURN(first, conjunction());
      operands.push_back(first);
    }
    return built(cursor_.position(), table_.logical_or(operands));
  }

  absl::StatusOr<SymExpr> conjunction() {
    FX_ASSIGN_OR_RETURN(SymExpr first, sum());
    if (!at("&")) return first;
    Exprs operands = {first};
    while (consume("&")) {
      FX_ASSIGN_OR_RETURN(first, sum());
      operands.push_back(first);
    }
    return built(cursor_.position(), table_.logical_and(operands));
  }

  absl::StatusOr<SymExpr> sum() {
    FX_ASSIGN_OR_RETURN(SymExpr term, product());
    Exprs terms = {term};
    const size_t position = cursor_.position();
    while (true) {
      const bool minus = at("-");
      if (!minus && !at("+")) break;
      const size_t sign = cursor_.position();
      cursor_.set_position(sign + 1);
      const bool signed_term = minus && at_smallest();
      if (signed_term) cursor_.set_position(sign);
      FX_ASSIGN_OR_RETURN(term, product());
      terms.push_back(minus && !signed_term ? table_.neg(term) : term);
    }
    return built(position, terms.size() == 1 ? terms[0] : table_.add(terms));
  }

  absl::StatusOr<SymExpr> product() {
    // A leading sign is a factor: -(x + 0.5)*y is -1 times the product, as printed.
    Exprs factors;
    const size_t sign = cursor_.position();
    if (consume("-")) {
      if (at_smallest())
        cursor_.set_position(sign);
      else
        factors.push_back(table_.integer(-1));
    }
    FX_ASSIGN_OR_RETURN(SymExpr factor, unary());
    factors.push_back(factor);
    const auto take = [&] {
      SymExpr result = factors.size() == 1 ? factors[0] : table_.mul(factors);
      factors.clear();
      return result;
    };
    while (true) {
      const size_t position = cursor_.position();
      if (consume("//")) {
        FX_ASSIGN_OR_RETURN(factor, unary());
        FX_ASSIGN_OR_RETURN(factor, built(position, table_.floor_div(take(), factor)));
      } else if (consume("%")) {
        FX_ASSIGN_OR_RETURN(factor, unary());
        FX_ASSIGN_OR_RETURN(factor, built(position, table_.mod(take(), factor)));
      } else if (consume("/")) {
        FX_ASSIGN_OR_RETURN(factor, unary());
        FX_ASSIGN_OR_RETURN(factor, built(position, table_.pow(factor, table_.integer(-1))));
      } else if (at("*") && cursor_.here(1) != '*') {
        consume("*");
        FX_ASSIGN_OR_RETURN(factor, unary());
      } else {
        return built(position, take());
      }
      factors.push_back(factor);
    }
  }

  absl::StatusOr<SymExpr> unary() {
    const Level level(*this);
    if (level.too_deep()) return too_deep();
    const size_t position = cursor_.position();
    if (consume("-")) {
      if (at_smallest()) {
        cursor_.consume(kSmallest);
        return table_.integer(std::numeric_limits<int64_t>::min());
      }
      FX_ASSIGN_OR_RETURN(const SymExpr operand, unary());
      return built(position, table_.neg(operand));
    }
    if (consume("+")) return unary();
    if (consume("~")) {
      FX_ASSIGN_OR_RETURN(const SymExpr operand, unary());
      return built(position, table_.logical_not(operand));
    }
    return power();
  }

  absl::StatusOr<SymExpr> power() {
    FX_ASSIGN_OR_RETURN(const SymExpr base, atom());
    const size_t position = cursor_.position();
    if (!consume("**")) return base;
    FX_ASSIGN_OR_RETURN(const SymExpr exponent, unary());  // right to left, as in Python
    return built(position, table_.pow(base, exponent));
  }

  absl::StatusOr<SymExpr> atom() {
    const char c = cursor_.peek();
    const size_t position = cursor_.position();
    if (c == '(') {
      cursor_.consume("(");
      Exprs items;
      bool is_tuple = false;
      FX_RETURN_IF_ERROR(arguments(items, &is_tuple));
      if (is_tuple) return built(position, table_.tuple(items));
      return items[0];
    }
    if (internal::is_digit(c) || c == '.') return number();
    if (!internal::is_word_start(c)) return cursor_.error("expected a number, a name or '('");
    std::string_view name = cursor_.word();
    while (cursor_.here() == '.' && internal::is_word_start(cursor_.here(1))) {
      cursor_.set_position(cursor_.position() + 1);
      cursor_.word();
    }
    name = cursor_.text().substr(position, cursor_.position() - position);
    if (cursor_.here() == '(') return call(position, name);
    return named(name);
  }

  absl::StatusOr<SymExpr> named(std::string_view name) {
    if (name == "True") return table_.boolean(true);
    if (name == "False") return table_.boolean(false);
    if (name == "oo") return table_.real(std::numeric_limits<double>::infinity());
    if (name == "nan") return table_.real(std::numeric_limits<double>::quiet_NaN());
    if (name == "int_oo") return table_.call(name, {});
    return table_.symbol(name);
  }

  absl::StatusOr<SymExpr> number() {
    bool is_float = false;
    const size_t size = internal::scan_number(cursor_.remaining(), is_float);
    if (size == 0) return cursor_.error("expected a number, a name or '('");
    if (is_float) {
      FX_ASSIGN_OR_RETURN(const double value, cursor_.real());
      return table_.real(value);
    }
    FX_ASSIGN_OR_RETURN(const int64_t value, cursor_.integer());
    return table_.integer(value);
  }

  absl::StatusOr<SymExpr> call(size_t position, std::string_view name) {
    cursor_.consume("(");
    if (name == "Symbol") {
      FX_ASSIGN_OR_RETURN(const std::string symbol, cursor_.quoted());
      if (!cursor_.consume(")")) return cursor_.error("expected ')' after the name of a symbol");
      return table_.symbol(symbol);
    }
    if (name == "undefined") return undefined();
    Exprs args;
    FX_RETURN_IF_ERROR(arguments(args, nullptr));
    if (!internal::is_plain_name(name))
      return cursor_.error_at(position, fmt::format("{} is not a function", name));
    const internal::SymFunctionInfo* info = internal::find_function(name);
    if (info && (args.size() < info->min_args || args.size() > info->max_args)) {
      return cursor_.error_at(
          position,
          fmt::format("{} has {}, not {}", name,
                      pluralize(static_cast<int>(info->min_args), "argument"), args.size()));
    }
    return built(position, table_.call(name, args));
  }

  absl::StatusOr<SymExpr> undefined() {
    cursor_.skip_space();
    const size_t position = cursor_.position();
    const std::string_view reason = cursor_.word();
    for (int i = 0; i < internal::kNumUndefinedReasons; ++i) {
      const auto candidate = static_cast<UndefinedReason>(i);
      if (internal::undefined_reason_name(candidate) != reason) continue;
      if (!cursor_.consume(")")) return cursor_.error("expected ')'");
      names_undefined_ = true;
      return internal::undefined_expr(candidate);
    }
    return cursor_.error_at(position, "expected overflow, division_by_zero, too_deep or too_large");
  }

  /// Parses comma-separated expressions and ')', after '('. If `is_tuple` is not null, the
  /// parentheses are not a call; sets it to whether they are a tuple.
  absl::Status arguments(Exprs& items, bool* is_tuple) {
    bool comma = true;
    while (!consume(")")) {
      if (!comma) return cursor_.error("expected ',' or ')'");
      FX_ASSIGN_OR_RETURN(const SymExpr item, comparison());
      items.push_back(item);
      comma = consume(",");
    }
    if (is_tuple) *is_tuple = comma || items.size() != 1;
    return absl::OkStatus();
  }

  /// The digits of the smallest integer, which fit only together with their minus sign.
  static constexpr std::string_view kSmallest = "9223372036854775808";
  bool at_smallest() {
    cursor_.skip_space();
    const char after = cursor_.here(kSmallest.size());
    return cursor_.remaining().starts_with(kSmallest) && !internal::is_word(after) && after != '.';
  }

  bool at(std::string_view sign) {
    cursor_.skip_space();
    return cursor_.remaining().starts_with(sign);
  }
  bool consume(std::string_view sign) { return cursor_.consume(sign); }

  SymExprTable& table_;
  internal::TextCursor cursor_;
  int level_ = 0;
  bool names_undefined_ = false;
};

bool is_whitespace(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

bool equal_ignoring_whitespace(std::string_view a, std::string_view b) {
  size_t i = 0;
  for (char c : b) {
    if (is_whitespace(c)) continue;
    while (i < a.size() && is_whitespace(a[i])) ++i;
    if (i == a.size() || a[i++] != c) return false;
  }
  while (i < a.size() && is_whitespace(a[i])) ++i;
  return i == a.size();
}

/// Replaces every run of whitespace with one space.
std::string with_single_spaces(std::string_view text) {
  std::string result;
  for (char c : text) {
    if (!is_whitespace(c))
      result += c;
    else if (result.back() != ' ')
      result += ' ';
  }
  return result;
}

/// The canonical form that parse() returns for its own text, starting from `expr` and its text;
/// null if none exists. It is `expr`, unless a number overflowed 64 bits while it was built: then
/// the parts that stay factored depend on the order of the operands, which the text may have
/// changed.
SymExpr canonical_fixed_point(SymExprTable& table, SymExpr expr, std::string text) {
  constexpr int kMaxRounds = 16;
  for (int round = 0; round < kMaxRounds; ++round) {
    const absl::StatusOr<SymExpr> again = Parser(table, text).parse();
    if (!again.ok()) return SymExpr();
    if (*again == expr) return expr;
    expr = *again;
    text = to_string(expr);
  }
  return SymExpr();
}

}  // namespace

absl::StatusOr<SymExpr> SymExprTable::parse_prefix(std::string_view text, size_t* consumed) {
  Parser parser(*this, text);
  absl::StatusOr<SymExpr> parsed = parser.parse();
  *consumed = parser.cursor().position();
  if (!parsed.ok() || parsed->is_undefined()) return parsed;
  if (parsed->kind() == SymKind::kTuple) {
    *consumed = 0;
    return parser.cursor().error_at(0, "a tuple is not a number");
  }
  // Trailing whitespace is not part of the expression.
  std::string_view written = text.substr(0, *consumed);
  while (is_whitespace(written.back())) written.remove_suffix(1);
  *consumed = written.size();
  while (is_whitespace(written.front())) written.remove_prefix(1);
  if (parsed->is_symbol() && parsed->name().str() == written) return parsed;
  // Whitespace is significant only in quoted names.
  const bool is_quoted = written.find('"') != std::string_view::npos;
  const std::string canonical_text = to_string(*parsed);
  if (is_quoted ? written == canonical_text : equal_ignoring_whitespace(written, canonical_text))
    return parsed;
  const SymExpr canonical = canonical_fixed_point(*this, *parsed, canonical_text);
  if (!canonical) {
    *consumed = 0;
    return parser.cursor().error_at(
        0, "the numbers of this expression are too large for a canonical form in 64 bits");
  }
  const SymExpr args[] = {canonical};
  const std::string spelling = is_quoted ? std::string(written) : with_single_spaces(written);
  const SymExpr spelled = impl_->intern({.kind = SymKind::kSpelled,
                                         .value_kind = canonical.value_kind(),
                                         .name = symbols_.intern(spelling),
                                         .args = args});
  if (!spelled.is_undefined()) return spelled;
  *consumed = 0;
  return parser.cursor().error_at(0, reason_of(spelled));
}

absl::StatusOr<SymExpr> SymExprTable::parse(std::string_view text, size_t* error_offset) {
  size_t consumed = 0;
  absl::StatusOr<SymExpr> result = parse_prefix(text, &consumed);
  if (result.ok()) {
    internal::TextCursor cursor(text);
    cursor.set_position(consumed);
    if (cursor.at_end()) return result;
    consumed = cursor.position();
    result = cursor.error("expected an operator or the end of the expression");
  }
  if (error_offset) *error_offset = consumed;
  return result;
}

}  // namespace fx
