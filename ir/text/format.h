// {fmt} formatters for the values of the IR: fmt::format("{} uses {}", node, node.arg(0)).
//
// Other headers do not include this one, so that only its users need fmt. A node is printed as one
// line of `.fx` text, or as its name with `{:n}`; a graph is printed as its whole text.
#pragma once

#include "fx/ir/graph/argument.h"
#include "fx/ir/graph/graph.h"
#include "fx/ir/graph/node.h"
#include "fx/ir/support/name.h"
#include "fx/ir/support/symbol.h"
#include "fx/ir/text/text.h"
#include "fx/ir/types/type.h"

#include "fmt/format.h"

#include <string>
#include <string_view>

namespace fx::internal {

/// The base of the formatters below: width, fill and alignment of strings.
struct TextFormatter : fmt::formatter<std::string_view> {
  template <class FormatContext>
  auto write(std::string_view text, FormatContext& context) const {
    return fmt::formatter<std::string_view>::format(text, context);
  }
};

}  // namespace fx::internal

template <>
struct fmt::formatter<fx::Symbol> : fx::internal::TextFormatter {
  template <class FormatContext>
  auto format(fx::Symbol symbol, FormatContext& context) const {
    return write(symbol.str(), context);
  }
};

template <>
struct fmt::formatter<fx::Name> : fx::internal::TextFormatter {
  template <class FormatContext>
  auto format(const fx::Name& name, FormatContext& context) const {
    return write(name.str(), context);
  }
};

template <>
struct fmt::formatter<fx::Type> : fx::internal::TextFormatter {
  template <class FormatContext>
  auto format(fx::Type type, FormatContext& context) const {
    return write(fx::to_string(type), context);
  }
};

template <>
struct fmt::formatter<fx::Argument> : fx::internal::TextFormatter {
  template <class FormatContext>
  auto format(const fx::Argument& argument, FormatContext& context) const {
    return write(fx::print(argument), context);
  }
};

template <>
struct fmt::formatter<fx::ArgumentRef> : fx::internal::TextFormatter {
  template <class FormatContext>
  auto format(fx::ArgumentRef argument, FormatContext& context) const {
    return write(fx::print(argument), context);
  }
};

template <>
struct fmt::formatter<fx::Node> : fx::internal::TextFormatter {
  constexpr auto parse(fmt::format_parse_context& context) {
    const auto* at = context.begin();
    if (at != context.end() && *at == 'n') {
      name_only_ = true;
      context.advance_to(at + 1);
    }
    return fx::internal::TextFormatter::parse(context);
  }
  template <class FormatContext>
  auto format(const fx::Node& node, FormatContext& context) const {
    return write(name_only_ ? node.name() : fx::print(node), context);
  }

 private:
  bool name_only_ = false;
};

template <>
struct fmt::formatter<fx::Graph> : fx::internal::TextFormatter {
  template <class FormatContext>
  auto format(const fx::Graph& graph, FormatContext& context) const {
    return write(fx::print(graph), context);
  }
};
