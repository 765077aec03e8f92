// The MLIR 19 subject for harness.h: one func.func in a module, a small registered dialect of pure
// operations with attributes as properties, one shared type, and a context without threads.
#include "bench/harness.h"

#include "llvm/Support/MemoryBuffer.h"

#include "mlir/Bytecode/BytecodeReader.h"
#include "mlir/Bytecode/BytecodeWriter.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Transforms/CSE.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "peer_dialect.h.inc"
#define GET_OP_CLASSES
#include "peer_dialect.cpp.inc"
#include "peer_ops.h.inc"
#define GET_OP_CLASSES
#include "peer_ops.cpp.inc"

void fx::bench::peer::PeerDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "peer_ops.cpp.inc"
      >();
}

namespace fx::bench {
namespace {

class Builder {
 public:
  using Value = mlir::Value;
  Builder(mlir::MLIRContext& context, mlir::Block* block)
      : builder_(&context),
        where_(builder_.getUnknownLoc()),
        type_(mlir::RankedTensorType::get({64, 64}, builder_.getF32Type())),
        block_(block) {
    builder_.setInsertionPointToEnd(block);
  }
  Value input() { return block_->addArgument(type_, where_); }
  Value add(Value a, Value b) { return make<peer::AddOp>(a, b); }
  Value mul(Value a, Value b) { return make<peer::MulOp>(a, b); }
  Value relu(Value a) { return make<peer::ReluOp>(a); }
  Value parameter(const std::string& path) {
    return make<peer::ParameterOp>(builder_.getStringAttr(path));
  }
  Value layer_norm(Value x, std::initializer_list<int64_t> shape, Value weight, Value bias,
                   double eps, bool cudnn) {
    return make<peer::LayerNormOp>(x, weight, bias, builder_.getDenseI64ArrayAttr(shape),
                                   builder_.getF64FloatAttr(eps), builder_.getBoolAttr(cudnn));
  }
  Value linear(Value x, Value weight, Value bias) { return make<peer::LinearOp>(x, weight, bias); }
  Value matmul(Value a, Value b) { return make<peer::MatmulOp>(a, b); }
  Value transpose(Value x, int64_t a, int64_t b) {
    return make<peer::TransposeOp>(x, builder_.getI64IntegerAttr(a), builder_.getI64IntegerAttr(b));
  }
  Value softmax(Value x, int64_t dim, int64_t dtype) {
    return make<peer::SoftmaxOp>(x, builder_.getI64IntegerAttr(dim),
                                 builder_.getI64IntegerAttr(dtype));
  }
  Value view(Value x, std::initializer_list<int64_t> shape) {
    return make<peer::ViewOp>(x, builder_.getDenseI64ArrayAttr(shape));
  }
  Value dropout(Value x, double p, bool train) {
    return make<peer::DropoutOp>(x, builder_.getF64FloatAttr(p), builder_.getBoolAttr(train));
  }
  Value add_scaled(Value a, Value b, int64_t alpha) {
    return make<peer::AddScaledOp>(a, b, builder_.getI64IntegerAttr(alpha));
  }
  void finish(Value result) { builder_.create<mlir::func::ReturnOp>(where_, result); }

 private:
  template <class Op, class... Args>
  Value make(Args... args) {
    return builder_.create<Op>(where_, type_, args...);
  }
  mlir::OpBuilder builder_;
  mlir::Location where_;
  mlir::Type type_;
  mlir::Block* block_;
};

/// Rewrites add(mul(a, b), c) to one operation.
struct FuseMulAdd : mlir::OpRewritePattern<peer::AddOp> {
  using OpRewritePattern::OpRewritePattern;
  mlir::LogicalResult matchAndRewrite(peer::AddOp add,
                                      mlir::PatternRewriter& rewriter) const override {
    auto mul = add.getA().getDefiningOp<peer::MulOp>();
    if (!mul || !mul->hasOneUse()) return mlir::failure();
    rewriter.replaceOpWithNewOp<peer::FusedOp>(add, add.getType(), add.getB(), mul.getA(),
                                               mul.getB());
    rewriter.eraseOp(mul);
    return mlir::success();
  }
};

class MlirGraph {
 public:
  MlirGraph() : context_(mlir::MLIRContext::Threading::DISABLED) {
    context_.loadDialect<mlir::func::FuncDialect, peer::PeerDialect>();
    module_ = mlir::ModuleOp::create(mlir::UnknownLoc::get(&context_));
  }
  void build(Family family, size_t nodes, const Paths& paths, bool is_returned) {
    mlir::Type type = mlir::RankedTensorType::get({64, 64}, mlir::Float32Type::get(&context_));
    const bool three = family == Family::kSep || family == Family::kBackToBack;
    llvm::SmallVector<mlir::Type> inputs(three ? 3 : 1, type);
    auto function = mlir::func::FuncOp::create(mlir::UnknownLoc::get(&context_), "f",
                                               mlir::FunctionType::get(&context_, inputs, type));
    module_->push_back(function);
    function.getBody().push_back(new mlir::Block);
    Builder builder(context_, &block());
    build_family(builder, family, nodes, paths, is_returned);
  }
  size_t size() { return block().getOperations().size() - 1; }
  size_t iterate() {
    size_t sum = 0, operands = 0;
    for (mlir::Operation& op : block()) {
      for (mlir::Value operand : op.getOperands()) {
        sum += reinterpret_cast<uintptr_t>(operand.getAsOpaquePointer());
        ++operands;
      }
    }
    benchmark::DoNotOptimize(sum);
    return operands - 1;
  }
  size_t replace_each() {
    for (mlir::Operation& op : block().without_terminator())
      op.getResult(0).replaceAllUsesWith(op.getOperand(0));
    size_t left = 0;
    for (mlir::Operation& op : block().without_terminator()) left += !op.use_empty();
    return left;
  }
  size_t replace_wide() {
    mlir::Operation& op = block().front();
    op.getResult(0).replaceAllUsesWith(op.getOperand(0));
    return static_cast<size_t>(std::distance(op.use_begin(), op.use_end()));
  }
  void erase_all() {
    for (mlir::Operation& op : llvm::make_early_inc_range(llvm::drop_begin(llvm::reverse(block()))))
      op.erase();
  }
  void dce() {
    for (mlir::Operation& op : llvm::make_early_inc_range(llvm::reverse(block())))
      if (mlir::isOpTriviallyDead(&op)) op.erase();
  }
  void cse() {
    mlir::IRRewriter rewriter(&context_);
    mlir::DominanceInfo dominance;
    mlir::eliminateCommonSubExpressions(rewriter, dominance, *module_);
  }
  size_t clone() {
    copy_ = module_->clone();
    return copy_->getBody()->front().getRegion(0).front().getOperations().size() - 1;
  }
  size_t split(size_t calls) {
    std::vector<llvm::SmallVector<mlir::Operation*>> parts;
    for (mlir::Operation& op : block().without_terminator()) {
      if (llvm::isa<peer::ParameterOp>(op)) continue;
      if (parts.empty() || parts.back().size() == calls) parts.emplace_back();
      parts.back().push_back(&op);
    }
    for (const auto& part : parts) outline(part);
    return num_outlined_;
  }
  size_t outline_projections() {
    std::vector<std::pair<mlir::Operation*, mlir::Operation*>> pairs;
    for (mlir::Operation& op : block().without_terminator())
      if (llvm::isa<peer::LinearOp>(op) && llvm::isa<peer::MatmulOp>(op.getNextNode()))
        pairs.emplace_back(&op, op.getNextNode());
    for (const auto& [first, second] : pairs) outline({first, second});
    return num_outlined_;
  }
  bool verify() { return mlir::succeeded(mlir::verify(*module_)); }
  void print(std::string& out) {
    llvm::raw_string_ostream stream(out);
    mlir::OpPrintingFlags flags;
    flags.printGenericOpForm().assumeVerified();
    module_->print(stream, flags);
  }
  void parse(const std::string& text) {
    mlir::ParserConfig config(&context_, /*verifyAfterParse=*/false);
    module_ = mlir::parseSourceString<mlir::ModuleOp>(text, config);
  }
  void write_binary(std::string& out) {
    llvm::raw_string_ostream stream(out);
    (void)mlir::writeBytecodeToFile(*module_, stream);
  }
  void read_binary(const std::string& bytes) {
    mlir::ParserConfig config(&context_, /*verifyAfterParse=*/false);
    module_ = mlir::parseSourceString<mlir::ModuleOp>(bytes, config);
  }
  void rewrite_loop() {
    mlir::IRRewriter rewriter(&context_);
    for (mlir::Operation& op : llvm::make_early_inc_range(block())) {
      auto add = llvm::dyn_cast<peer::AddOp>(op);
      if (!add) continue;
      auto mul = add.getA().getDefiningOp<peer::MulOp>();
      if (!mul || !mul->hasOneUse()) continue;
      rewriter.setInsertionPoint(add);
      rewriter.replaceOpWithNewOp<peer::FusedOp>(add, add.getType(), add.getB(), mul.getA(),
                                                 mul.getB());
      rewriter.eraseOp(mul);
    }
  }
  void rewrite_greedily() {
    mlir::RewritePatternSet patterns(&context_);
    patterns.add<FuseMulAdd>(&context_);
    mlir::GreedyRewriteConfig config;
    config.enableRegionSimplification = mlir::GreedySimplifyRegionLevel::Disabled;
    (void)mlir::applyPatternsAndFoldGreedily(*module_, std::move(patterns), config);
  }
  void collect() {
    nodes_.clear();
    for (mlir::Operation& op : block().without_terminator()) nodes_.push_back(&op);
  }
  void insert_before(size_t i) {
    mlir::OpBuilder builder(nodes_[i]);
    mlir::Value input = block().getArgument(0);
    builder.create<peer::ReluOp>(nodes_[i]->getLoc(), input.getType(), input);
  }
  bool is_before(size_t a, size_t b) { return nodes_[a]->isBeforeInBlock(nodes_[b]); }
  void destroy() { module_ = nullptr; }

 private:
  /// Moves operations to a new function, and replaces them with a call to it. In MLIR, moving is
  /// faster than copying.
  void outline(llvm::ArrayRef<mlir::Operation*> run) {
    const mlir::Location where = run.front()->getLoc();
    mlir::OpBuilder builder(run.back()->getBlock(), std::next(run.back()->getIterator()));
    const llvm::SmallPtrSet<mlir::Operation*, 8> inside(run.begin(), run.end());
    llvm::SmallSetVector<mlir::Value, 8> inputs;
    llvm::SmallVector<mlir::Value> outputs;
    for (mlir::Operation* op : run) {
      for (const mlir::Value operand : op->getOperands())
        if (!inside.contains(operand.getDefiningOp())) inputs.insert(operand);
      if (llvm::any_of(op->getUsers(), [&](auto* user) { return !inside.contains(user); }))
        outputs.push_back(op->getResult(0));
    }
    auto function = mlir::func::FuncOp::create(
        where, "part_" + std::to_string(num_outlined_++),
        builder.getFunctionType(mlir::TypeRange(mlir::ValueRange(inputs.getArrayRef())),
                                mlir::TypeRange(mlir::ValueRange(outputs))));
    module_->push_back(function);
    auto call = builder.create<mlir::func::CallOp>(where, function, inputs.getArrayRef());
    for (auto [output, result] : llvm::zip_equal(outputs, call.getResults())) {
      output.replaceUsesWithIf(
          result, [&](mlir::OpOperand& use) { return !inside.contains(use.getOwner()); });
    }
    mlir::Block* body = function.addEntryBlock();
    for (mlir::Operation* op : run) op->moveBefore(body, body->end());
    for (mlir::BlockArgument argument : body->getArguments()) {
      mlir::Value input = inputs[argument.getArgNumber()];
      input.replaceUsesWithIf(
          argument, [&](mlir::OpOperand& use) { return inside.contains(use.getOwner()); });
    }
    mlir::OpBuilder::atBlockEnd(body).create<mlir::func::ReturnOp>(where, outputs);
  }
  mlir::Block& block() { return module_->getBody()->front().getRegion(0).front(); }

  mlir::MLIRContext context_;
  mlir::OwningOpRef<mlir::ModuleOp> module_, copy_;
  std::vector<mlir::Operation*> nodes_;
  size_t num_outlined_ = 0;
};

}  // namespace
}  // namespace fx::bench

int main(int argc, char** argv) {
  return fx::bench::run_benchmarks<fx::bench::MlirGraph>(argc, argv);
}
