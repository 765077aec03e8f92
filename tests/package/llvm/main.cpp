// A compiler that reads a graph with fxcpp and writes LLVM IR with a separate copy of LLVM: a
// function that calls a function for each call in the graph.
#include "fx/ir/graph/context.h"
#include "fx/ir/graph/graph.h"
#include "fx/ir/graph/node_map.h"
#include "fx/ir/text/text.h"
#include "fx/passes/shape/shape_prop.h"

#include "llvm/Config/llvm-config.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/raw_ostream.h"

#include <cstdio>
#include <string>

static llvm::cl::opt<bool> quiet("quiet", llvm::cl::desc("print nothing"));

int main(int argc, char** argv) {
  llvm::cl::ParseCommandLineOptions(argc, argv);
  fx::Context context;
  auto graph = fx::parse_graph(context,
                               "graph(%x : f32[2, 3], %y : f32[3]) {\n"
                               "  %add = aten.add.Tensor(%x, %y)\n"
                               "  %relu = aten.relu.default(%add)\n"
                               "  return %relu\n"
                               "}\n");
  if (!graph.ok() || !fx::propagate_types(**graph).ok()) return 1;

  llvm::LLVMContext llvm_context;
  llvm::Module module("graph", llvm_context);
  llvm::IRBuilder<> builder(llvm_context);
  llvm::Type* const tensor = builder.getInt8PtrTy();
  fx::NodeMap<llvm::Value*> values(**graph, nullptr);
  const size_t num_inputs = (*graph)->num_nodes(fx::Opcode::kPlaceholder);
  auto* main = llvm::Function::Create(
      llvm::FunctionType::get(tensor, std::vector<llvm::Type*>(num_inputs, tensor), false),
      llvm::Function::ExternalLinkage, "main", module);
  builder.SetInsertPoint(llvm::BasicBlock::Create(llvm_context, "entry", main));
  unsigned next_input = 0;
  for (const fx::Node& node : (*graph)->nodes()) {
    if (node.is_placeholder()) values[node] = main->getArg(next_input++);
    if (node.is_output()) builder.CreateRet(values[*node.arg(0).node()]);
    if (!node.is_call()) continue;
    std::vector<llvm::Value*> operands;
    for (size_t i = 0; i < node.num_args(); ++i) operands.push_back(values[*node.arg(i).node()]);
    const llvm::FunctionCallee callee = module.getOrInsertFunction(
        std::string(node.target()),
        llvm::FunctionType::get(tensor, std::vector<llvm::Type*>(operands.size(), tensor), false));
    values[node] = builder.CreateCall(callee, operands, node.name());
  }
  if (llvm::verifyModule(module, &llvm::errs())) return 1;
  if (!quiet) module.print(llvm::outs(), nullptr);
  llvm::outs() << "LLVM " << LLVM_VERSION_STRING
               << ", types of fxcpp: " << to_string((*graph)->find_node("relu")->type()) << "\n";
  return 0;
}
