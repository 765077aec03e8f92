// The fixture for tests of Graph.
#pragma once

#include "fx/ir/graph/context.h"
#include "fx/ir/graph/graph.h"

#include "gtest/gtest.h"

#include <string>
#include <vector>

namespace fx {

class GraphTest : public ::testing::Test {
 protected:
  std::vector<std::string> names() {
    std::vector<std::string> result;
    for (Node& node : graph_.nodes()) result.push_back(node.name());
    return result;
  }
  static std::vector<std::string> names(const std::vector<Node*>& nodes) {
    std::vector<std::string> result;
    for (Node* node : nodes) result.push_back(node->name());
    return result;
  }
  Node* relu(Node* x) { return graph_.call_function(relu_, {x}); }

  Context context_;
  Graph graph_{context_};
  Target relu_ = context_.function("torch.relu");
  Target add_ = context_.function("operator.add");
};

}  // namespace fx
