// The LLVM 19 subject for harness.h: one function with one block. Arithmetic families are float
// instructions; the transformer consists of calls to declared functions without side effects. Only
// build_named sets names.
#include "bench/harness.h"

#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Intrinsics.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PassManager.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Utils/Cloning.h"

#include <map>

namespace fx::bench {
namespace {

class Builder {
 public:
  using Value = llvm::Value*;
  Builder(llvm::Module& module, size_t inputs, bool named)
      : module_(module), builder_(module.getContext()), named_(named) {
    llvm::Type* f = builder_.getFloatTy();
    auto* type = llvm::FunctionType::get(f, std::vector<llvm::Type*>(inputs, f), false);
    function_ = llvm::Function::Create(type, llvm::Function::ExternalLinkage, "f", module);
    builder_.SetInsertPoint(llvm::BasicBlock::Create(module.getContext(), "", function_));
  }
  Value input() { return function_->getArg(next_input_++); }
  Value add(Value a, Value b) { return named(builder_.CreateFAdd(a, b), "add"); }
  Value mul(Value a, Value b) { return named(builder_.CreateFMul(a, b), "mul"); }
  Value relu(Value a) { return named(builder_.CreateFNeg(a), "relu"); }
  Value parameter(const std::string& path) {
    auto* address = new llvm::GlobalVariable(module_, builder_.getFloatTy(), true,
                                             llvm::GlobalValue::ExternalLinkage, nullptr, path);
    return call("parameter", {address});
  }
  Value layer_norm(Value x, std::initializer_list<int64_t> shape, Value weight, Value bias,
                   double eps, bool cudnn) {
    return call("layer_norm", {x, ints(shape), weight, bias, real(eps), builder_.getInt1(cudnn)});
  }
  Value linear(Value x, Value weight, Value bias) { return call("linear", {x, weight, bias}); }
  Value matmul(Value a, Value b) { return call("matmul", {a, b}); }
  Value transpose(Value x, int64_t a, int64_t b) {
    return call("transpose", {x, integer(a), integer(b)});
  }
  Value softmax(Value x, int64_t dim, int64_t dtype) {
    return call("softmax", {x, integer(dim), integer(dtype)});
  }
  Value view(Value x, std::initializer_list<int64_t> shape) {
    return call("view", {x, ints(shape)});
  }
  Value dropout(Value x, double p, bool train) {
    return call("dropout", {x, real(p), builder_.getInt1(train)});
  }
  Value add_scaled(Value a, Value b, int64_t alpha) {
    return call("add_scaled", {a, b, integer(alpha)});
  }
  void finish(Value result) { builder_.CreateRet(result); }

 private:
  Value named(Value value, const char* name) {
    if (named_) value->setName(name);
    return value;
  }
  Value integer(int64_t value) { return builder_.getInt64(static_cast<uint64_t>(value)); }
  Value real(double value) { return llvm::ConstantFP::get(builder_.getDoubleTy(), value); }
  Value ints(std::initializer_list<int64_t> values) {
    return llvm::ConstantDataArray::get(module_.getContext(),
                                        llvm::ArrayRef<int64_t>(values.begin(), values.size()));
  }
  Value call(const char* name, llvm::ArrayRef<Value> args) {
    llvm::Function*& callee = callees_[name];
    if (!callee) {
      llvm::SmallVector<llvm::Type*> types;
      for (Value arg : args) types.push_back(arg->getType());
      callee = llvm::Function::Create(llvm::FunctionType::get(builder_.getFloatTy(), types, false),
                                      llvm::Function::ExternalLinkage, name, module_);
      callee->setDoesNotAccessMemory();
      callee->setDoesNotThrow();
      callee->setWillReturn();
    }
    return builder_.CreateCall(callee, args);
  }
  llvm::Module& module_;
  llvm::IRBuilder<> builder_;
  bool named_;
  llvm::Function* function_ = nullptr;
  unsigned next_input_ = 0;
  std::map<const char*, llvm::Function*> callees_;  // keyed by the address of the literal
};

class LlvmGraph {
 public:
  LlvmGraph() : module_(std::make_unique<llvm::Module>("m", context_)) {}

  static bool is_too_slow(std::string_view op, Family, size_t nodes) {
    return op == "insert_and_order" && nodes > 100000;  // quadratic: each pair renumbers the block
  }
  /// fneg(fneg(x)) is x: EarlyCSE removes all of wide.
  static size_t expected(std::string_view op, Family family, size_t default_count) {
    return op == "cse" && family == Family::kWide ? 0 : default_count;
  }
  void build(Family family, size_t nodes, const Paths& paths, bool is_returned) {
    make(family, nodes, paths, is_returned, false);
  }
  void build_named(Family family, size_t nodes, const Paths& paths) {
    make(family, nodes, paths, true, true);
  }
  size_t size() { return block().size() - 1; }
  size_t iterate() {
    size_t sum = 0, operands = 0;
    for (llvm::Instruction& instruction : block()) {
      for (llvm::Use& use : instruction.operands()) {
        // Literals and callees are operands here; other subjects store them separately.
        if (!llvm::isa<llvm::Instruction, llvm::Argument>(use.get())) continue;
        sum += reinterpret_cast<uintptr_t>(use.get());
        ++operands;
      }
    }
    benchmark::DoNotOptimize(sum);
    return operands - 1;
  }
  size_t replace_each() {
    for (llvm::Instruction& instruction : block())
      if (!instruction.isTerminator()) instruction.replaceAllUsesWith(instruction.getOperand(0));
    size_t left = 0;
    for (llvm::Instruction& instruction : block()) left += !instruction.use_empty();
    return left;
  }
  size_t replace_wide() {
    llvm::Instruction& instruction = block().front();
    instruction.replaceAllUsesWith(instruction.getOperand(0));
    return instruction.getNumUses();
  }
  void erase_all() {
    for (llvm::Instruction& instruction :
         llvm::make_early_inc_range(llvm::drop_begin(llvm::reverse(block()))))
      instruction.eraseFromParent();
  }
  void dce() {
    for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::reverse(block())))
      if (instruction.use_empty() && !instruction.isTerminator() &&
          !instruction.mayHaveSideEffects())
        instruction.eraseFromParent();
  }
  void cse() {
    llvm::LoopAnalysisManager loops;
    llvm::FunctionAnalysisManager functions;
    llvm::CGSCCAnalysisManager sccs;
    llvm::ModuleAnalysisManager modules;
    llvm::PassBuilder builder;
    builder.registerModuleAnalyses(modules);
    builder.registerCGSCCAnalyses(sccs);
    builder.registerFunctionAnalyses(functions);
    builder.registerLoopAnalyses(loops);
    builder.crossRegisterProxies(loops, functions, sccs, modules);
    llvm::FunctionPassManager passes;
    passes.addPass(llvm::EarlyCSEPass());
    passes.run(function(), functions);
  }
  size_t clone() {
    copy_ = llvm::CloneModule(*module_);
    return copy_->getFunction("f")->front().size() - 1;
  }
  bool verify() { return !llvm::verifyModule(*module_); }
  void print(std::string& out) {
    llvm::raw_string_ostream stream(out);
    module_->print(stream, nullptr);
  }
  void parse(const std::string& text) {
    llvm::SMDiagnostic error;
    module_ = llvm::parseAssemblyString(text, error, context_);
  }
  void write_binary(std::string& out) {
    llvm::raw_string_ostream stream(out);
    llvm::WriteBitcodeToFile(*module_, stream);
  }
  void read_binary(const std::string& bytes) {
    module_ =
        llvm::cantFail(llvm::parseBitcodeFile(llvm::MemoryBufferRef(bytes, "bitcode"), context_));
  }
  void rewrite_loop() {
    using namespace llvm::PatternMatch;  // NOLINT: as LLVM's own passes do
    llvm::IRBuilder<> builder(context_);
    for (llvm::Instruction& instruction : llvm::make_early_inc_range(block())) {
      llvm::Value *a, *b, *c;
      if (!match(&instruction, m_FAdd(m_OneUse(m_FMul(m_Value(a), m_Value(b))), m_Value(c))))
        continue;
      auto* product = llvm::cast<llvm::Instruction>(instruction.getOperand(0));
      builder.SetInsertPoint(&instruction);
      llvm::Value* fused =
          builder.CreateIntrinsic(llvm::Intrinsic::fma, {instruction.getType()}, {a, b, c});
      instruction.replaceAllUsesWith(fused);
      instruction.eraseFromParent();
      product->eraseFromParent();
    }
  }
  void collect() {
    nodes_.clear();
    for (llvm::Instruction& instruction : block())
      if (!instruction.isTerminator()) nodes_.push_back(&instruction);
  }
  void insert_before(size_t i) {
    llvm::UnaryOperator::CreateFNeg(function().getArg(0), "", nodes_[i]->getIterator());
  }
  bool is_before(size_t a, size_t b) { return nodes_[a]->comesBefore(nodes_[b]); }
  void destroy() { module_.reset(); }

 private:
  void make(Family family, size_t nodes, const Paths& paths, bool is_returned, bool named) {
    const bool three = family == Family::kSep || family == Family::kBackToBack;
    Builder builder(*module_, three ? 3 : 1, named);
    build_family(builder, family, nodes, paths, is_returned);
  }
  llvm::Function& function() { return *module_->getFunction("f"); }
  llvm::BasicBlock& block() { return function().front(); }

  llvm::LLVMContext context_;
  std::unique_ptr<llvm::Module> module_, copy_;
  std::vector<llvm::Instruction*> nodes_;
};

}  // namespace
}  // namespace fx::bench

int main(int argc, char** argv) {
  return fx::bench::run_benchmarks<fx::bench::LlvmGraph>(argc, argv);
}
