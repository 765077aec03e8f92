#include "tools/json_keys.h"

#include "fx/ir/graph/node.h"

#include "nlohmann/json.hpp"

namespace fx::tools {

using nlohmann::ordered_json;

ordered_json type_json(Type type) { return type ? ordered_json(to_string(type)) : nullptr; }

ordered_json findings_json(const ShapeReport& report) {
  ordered_json findings = ordered_json::array();
  for (const ShapeFinding& finding : report.findings) {
    findings.push_back({{"op", finding.op},
                        {"calls", finding.nodes.size()},
                        {"node", finding.nodes[0]->name()},
                        {"message", finding.message}});
  }
  return findings;
}

}  // namespace fx::tools
