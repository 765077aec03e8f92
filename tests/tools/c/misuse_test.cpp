// Misuse of the C interface: each case returns its error, has no effect, and does not crash.
#include "fx/c/fxcpp.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

#include <cstdint>
#include <string>
#include <thread>
#include <vector>

namespace fx::misuse_test {
namespace {

constexpr const char* kText =
    "graph(%x : f32[2, 3]) {\n"
    "  %relu : f32[2, 3] = aten.relu.default(%x)\n"
    "  %sum : f32[2] = aten.sum.dim_IntList(%relu, [1], keepdim=False)\n"
    "  return %sum\n"
    "}\n";

/// Returns a handle with this number.
template <class Handle>
Handle handle(uintptr_t bits) {
  return reinterpret_cast<Handle>(bits);
}
template <class Handle, class Other>
Handle as(Other other) {
  return reinterpret_cast<Handle>(other);
}

class Misuse : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(fxc_context_create(nullptr, &context_), FXC_OK);
    ASSERT_EQ(fxc_context_create(nullptr, &other_), FXC_OK);
    const std::string text = kText;
    ASSERT_EQ(fxc_graph_parse(context_, text.data(), text.size(), &graph_), FXC_OK);
    ASSERT_EQ(fxc_graph_parse(context_, text.data(), text.size(), &second_), FXC_OK);
    ASSERT_EQ(fxc_graph_parse(other_, text.data(), text.size(), &external_), FXC_OK);
    ASSERT_EQ(fxc_graph_find(graph_, "x", &x_), FXC_OK);
    ASSERT_EQ(fxc_graph_find(graph_, "relu", &relu_), FXC_OK);
    ASSERT_EQ(fxc_graph_find(graph_, "sum", &sum_), FXC_OK);
    ASSERT_EQ(fxc_graph_find(second_, "relu", &second_relu_), FXC_OK);
    ASSERT_EQ(fxc_graph_find(external_, "relu", &external_relu_), FXC_OK);
    ASSERT_EQ(fxc_value_int(context_, 7, &seven_), FXC_OK);
    ASSERT_EQ(fxc_value_int(other_, 7, &external_seven_), FXC_OK);
    ASSERT_EQ(fxc_value_node(x_, &x_value_), FXC_OK);
    ASSERT_EQ(fxc_value_node(second_relu_, &second_value_), FXC_OK);
    ASSERT_EQ(fxc_type_parse(context_, "f32[2, s0]", &type_), FXC_OK);
    ASSERT_EQ(fxc_type_parse(context_, "int", &int_type_), FXC_OK);
    ASSERT_EQ(fxc_type_parse(other_, "f32[2]", &external_type_), FXC_OK);
    // Destroyed objects.
    ASSERT_EQ(fxc_graph_create(context_, &dead_graph_), FXC_OK);
    ASSERT_EQ(fxc_graph_add_input(dead_graph_, "x", nullptr, &dead_owner_), FXC_OK);
    ASSERT_EQ(fxc_graph_destroy(dead_graph_), FXC_OK);
    ASSERT_EQ(fxc_graph_add_input(graph_, "y", nullptr, &dead_node_), FXC_OK);
    ASSERT_EQ(fxc_value_node(dead_node_, &dead_content_), FXC_OK);
    ASSERT_EQ(fxc_graph_erase(dead_node_), FXC_OK);
    ASSERT_EQ(fxc_value_none(context_, &dead_value_), FXC_OK);
    ASSERT_EQ(fxc_value_destroy(dead_value_), FXC_OK);
    ASSERT_EQ(fxc_context_create(nullptr, &dead_context_), FXC_OK);
    ASSERT_EQ(fxc_type_parse(dead_context_, "f32[2]", &dead_type_), FXC_OK);
    ASSERT_EQ(fxc_context_destroy(dead_context_), FXC_OK);
    before_ = text_of(graph_);
  }
  void TearDown() override {
    // The graph has not changed.
    EXPECT_EQ(text_of(graph_), before_);
    EXPECT_EQ(fxc_graph_verify(graph_), FXC_OK) << fxc_message();
    EXPECT_EQ(fxc_context_destroy(context_), FXC_OK) << fxc_message();
    EXPECT_EQ(fxc_context_destroy(other_), FXC_OK) << fxc_message();
    EXPECT_GE(cases_, 1);
    RecordProperty("cases", cases_);
  }
  static std::string text_of(fxc_graph graph) {
    const char* text = nullptr;
    return fxc_graph_text(graph, "fx", &text, nullptr) == FXC_OK ? text : fxc_message();
  }
  /// Expects that the status is `expected`, and that there is a message.
  void expect(fxc_status expected, fxc_status got) {
    ++cases_;
    EXPECT_STREQ(fxc_status_name(got), fxc_status_name(expected))
        << "case " << cases_ << ": " << fxc_message();
    EXPECT_STRNE(fxc_message(), "");
  }

  fxc_context context_ = nullptr, other_ = nullptr, dead_context_ = nullptr;
  fxc_graph graph_ = nullptr, second_ = nullptr, external_ = nullptr, dead_graph_ = nullptr;
  fxc_node x_ = nullptr, relu_ = nullptr, sum_ = nullptr, second_relu_ = nullptr,
           external_relu_ = nullptr, dead_node_ = nullptr, dead_owner_ = nullptr;
  fxc_value seven_ = nullptr, external_seven_ = nullptr, x_value_ = nullptr,
            second_value_ = nullptr, dead_value_ = nullptr, dead_content_ = nullptr;
  fxc_type type_ = nullptr, int_type_ = nullptr, external_type_ = nullptr, dead_type_ = nullptr;
  // Output parameters.
  fxc_context context_out_ = nullptr;
  fxc_graph graph_out_ = nullptr;
  fxc_node node_out_ = nullptr;
  fxc_value value_out_ = nullptr;
  fxc_type type_out_ = nullptr;
  const char* text_ = nullptr;
  size_t size_ = 0;
  int64_t number_ = 0;
  int flag_ = 0;
  int cases_ = 0;
  std::string before_;
};

TEST_F(Misuse, NullPointersAreErrors) {
  expect(FXC_NULL_ARGUMENT, fxc_context_create(nullptr, nullptr));
  expect(FXC_NULL_ARGUMENT, fxc_context_destroy(nullptr));
  expect(FXC_NULL_ARGUMENT, fxc_context_take(nullptr));
  expect(FXC_NULL_ARGUMENT, fxc_add_operator(nullptr, "a::b(Tensor x) -> Tensor"));
  expect(FXC_NULL_ARGUMENT, fxc_add_operator(context_, nullptr));
  expect(FXC_NULL_ARGUMENT, fxc_add_type_function(context_, "aten.relu.default", nullptr, nullptr));
  expect(FXC_NULL_ARGUMENT, fxc_type_parse(context_, nullptr, &type_out_));
  expect(FXC_NULL_ARGUMENT, fxc_type_parse(context_, "f32", nullptr));
  expect(FXC_NULL_ARGUMENT, fxc_type_text(nullptr, &text_));
  expect(FXC_NULL_ARGUMENT, fxc_type_size(type_, 0, nullptr, nullptr));
  expect(FXC_NULL_ARGUMENT, fxc_type_equal(type_, nullptr, &flag_));
  expect(FXC_NULL_ARGUMENT, fxc_value_int(context_, 1, nullptr));
  expect(FXC_NULL_ARGUMENT, fxc_value_string(context_, nullptr, &value_out_));
  expect(FXC_NULL_ARGUMENT, fxc_value_node(nullptr, &value_out_));
  expect(FXC_NULL_ARGUMENT, fxc_value_sequence(context_, FXC_LIST, nullptr, 2, &value_out_));
  const fxc_value items[] = {seven_, nullptr};
  expect(FXC_NULL_ARGUMENT, fxc_value_sequence(context_, FXC_LIST, items, 2, &value_out_));
  expect(FXC_NULL_ARGUMENT, fxc_value_destroy(nullptr));
  expect(FXC_NULL_ARGUMENT, fxc_value_as_int(seven_, nullptr));
  expect(FXC_NULL_ARGUMENT, fxc_graph_create(nullptr, &graph_out_));
  expect(FXC_NULL_ARGUMENT, fxc_graph_parse(context_, nullptr, 5, &graph_out_));
  expect(FXC_NULL_ARGUMENT, fxc_graph_read(context_, nullptr, &graph_out_));
  expect(FXC_NULL_ARGUMENT, fxc_graph_write(graph_, nullptr, nullptr));
  expect(FXC_NULL_ARGUMENT, fxc_graph_text(graph_, nullptr, &text_, nullptr));
  expect(FXC_NULL_ARGUMENT, fxc_graph_hash(graph_, nullptr));
  expect(FXC_NULL_ARGUMENT, fxc_graph_find(graph_, nullptr, &node_out_));
  expect(FXC_NULL_ARGUMENT, fxc_graph_add(graph_, FXC_CALL_FUNCTION, nullptr, nullptr, 0, nullptr,
                                          nullptr, 0, nullptr));
  expect(FXC_NULL_ARGUMENT,
         fxc_graph_add(graph_, FXC_CALL_FUNCTION, "f", nullptr, 1, nullptr, nullptr, 0, nullptr));
  expect(FXC_NULL_ARGUMENT,
         fxc_graph_add(graph_, FXC_CALL_FUNCTION, "f", nullptr, 0, nullptr, &seven_, 1, nullptr));
  expect(FXC_NULL_ARGUMENT, fxc_graph_add_output(graph_, nullptr, nullptr));
  expect(FXC_NULL_ARGUMENT, fxc_graph_erase(nullptr));
  expect(FXC_NULL_ARGUMENT, fxc_node_name(nullptr, &text_));
  expect(FXC_NULL_ARGUMENT, fxc_node_name(relu_, nullptr));
  expect(FXC_NULL_ARGUMENT, fxc_node_arg(relu_, 0, nullptr));
  expect(FXC_NULL_ARGUMENT, fxc_node_meta(relu_, nullptr, &value_out_));
  expect(FXC_NULL_ARGUMENT, fxc_node_set_meta(relu_, "a", nullptr));
  expect(FXC_NULL_ARGUMENT, fxc_node_move_before(relu_, nullptr));
  expect(FXC_NULL_ARGUMENT, fxc_run_passes(graph_, nullptr, nullptr, nullptr));
  expect(FXC_NULL_ARGUMENT, fxc_interpret(graph_, nullptr, 0, nullptr, nullptr, 0, &size_));
  expect(FXC_NULL_ARGUMENT, fxc_call_arg(nullptr, 0, -1, nullptr));
}

TEST_F(Misuse, HandlesOfADifferentKindAreErrors) {
  expect(FXC_BAD_HANDLE, fxc_context_destroy(as<fxc_context>(graph_)));
  expect(FXC_BAD_HANDLE, fxc_graph_destroy(as<fxc_graph>(context_)));
  expect(FXC_BAD_HANDLE, fxc_graph_verify(as<fxc_graph>(relu_)));
  expect(FXC_BAD_HANDLE, fxc_node_name(as<fxc_node>(graph_), &text_));
  expect(FXC_BAD_HANDLE, fxc_node_name(as<fxc_node>(seven_), &text_));
  expect(FXC_BAD_HANDLE, fxc_type_text(as<fxc_type>(seven_), &text_));
  expect(FXC_BAD_HANDLE, fxc_value_text(as<fxc_value>(type_), &text_));
  expect(FXC_BAD_HANDLE, fxc_node_set_type(relu_, as<fxc_type>(relu_)));
  expect(FXC_BAD_HANDLE, fxc_node_set_arg(relu_, 0, as<fxc_value>(x_)));
  void* value = nullptr;
  expect(FXC_BAD_HANDLE, fxc_call_arg(as<fxc_call>(graph_), 0, -1, &value));
  // Numbers that are not handles: addresses in this process, and other numbers.
  expect(FXC_BAD_HANDLE, fxc_context_destroy(as<fxc_context>(&value)));
  expect(FXC_BAD_HANDLE, fxc_graph_verify(handle<fxc_graph>(1)));
  expect(FXC_BAD_HANDLE, fxc_node_name(handle<fxc_node>(UINTPTR_MAX), &text_));
  expect(FXC_BAD_HANDLE,
         fxc_graph_verify(handle<fxc_graph>(uintptr_t{2} << 60 | uintptr_t{0xffff} << 32)));
  expect(FXC_BAD_HANDLE,
         fxc_type_text(handle<fxc_type>(reinterpret_cast<uintptr_t>(type_) + 1000), &text_));
}

TEST_F(Misuse, DestroyedObjectsAreErrors) {
  expect(FXC_DESTROYED, fxc_context_destroy(dead_context_));
  expect(FXC_DESTROYED, fxc_context_take(dead_context_));
  expect(FXC_DESTROYED, fxc_graph_create(dead_context_, &graph_out_));
  expect(FXC_DESTROYED, fxc_type_text(dead_type_, &text_));
  expect(FXC_DESTROYED, fxc_node_set_type(relu_, dead_type_));
  expect(FXC_DESTROYED, fxc_graph_destroy(dead_graph_));
  expect(FXC_DESTROYED, fxc_graph_first(dead_graph_, &node_out_));
  expect(FXC_DESTROYED, fxc_run_passes(dead_graph_, "simplify", nullptr, nullptr));
  expect(FXC_DESTROYED, fxc_node_name(dead_owner_, &text_));
  expect(FXC_DESTROYED, fxc_node_name(dead_node_, &text_));
  expect(FXC_DESTROYED, fxc_graph_erase(dead_node_));
  expect(FXC_DESTROYED, fxc_value_node(dead_node_, &value_out_));
  expect(FXC_DESTROYED, fxc_node_set_arg(relu_, 0, dead_content_));
  expect(FXC_DESTROYED, fxc_value_text(dead_content_, &text_));
  expect(FXC_DESTROYED, fxc_graph_insert_before(graph_, dead_node_));
  expect(FXC_DESTROYED, fxc_node_move_before(relu_, dead_node_));
  expect(FXC_DESTROYED, fxc_value_destroy(dead_value_));
  expect(FXC_DESTROYED, fxc_value_text(dead_value_, &text_));
  expect(FXC_DESTROYED, fxc_node_set_keyword(sum_, "keepdim", dead_value_));
}

TEST_F(Misuse, ObjectsOfAnotherContextOrGraphAreErrors) {
  expect(FXC_WRONG_CONTEXT, fxc_node_set_type(relu_, external_type_));
  expect(FXC_WRONG_CONTEXT, fxc_type_equal(type_, external_type_, &flag_));
  expect(FXC_WRONG_CONTEXT, fxc_graph_add_input(graph_, "z", external_type_, nullptr));
  expect(FXC_WRONG_CONTEXT, fxc_node_set_arg(relu_, 0, external_seven_));
  expect(FXC_WRONG_CONTEXT, fxc_node_set_arg(relu_, 0, second_value_));
  expect(FXC_WRONG_CONTEXT, fxc_node_set_keyword(sum_, "keepdim", external_seven_));
  expect(FXC_WRONG_CONTEXT, fxc_value_sequence(other_, FXC_LIST, &seven_, 1, &value_out_));
  expect(FXC_WRONG_CONTEXT, fxc_graph_add(graph_, FXC_CALL_FUNCTION, "aten.neg.default",
                                          &second_value_, 1, nullptr, nullptr, 0, nullptr));
  expect(FXC_WRONG_CONTEXT, fxc_graph_insert_before(graph_, second_relu_));
  expect(FXC_WRONG_CONTEXT, fxc_node_move_before(relu_, second_relu_));
  expect(FXC_WRONG_CONTEXT, fxc_node_move_before(relu_, external_relu_));
  expect(FXC_WRONG_CONTEXT, fxc_node_replace_uses(relu_, second_value_));
  expect(FXC_INVALID_ARGUMENT, fxc_node_set_meta(relu_, "key", x_value_));
}

TEST_F(Misuse, InvalidIndicesAndEnumeratorsAreErrors) {
  expect(FXC_OUT_OF_RANGE, fxc_node_arg(relu_, 1, &value_out_));
  expect(FXC_OUT_OF_RANGE, fxc_node_arg(relu_, SIZE_MAX, &value_out_));
  expect(FXC_OUT_OF_RANGE, fxc_node_keyword(sum_, 1, &text_, &value_out_));
  expect(FXC_OUT_OF_RANGE, fxc_node_user(sum_, 1, &node_out_));
  expect(FXC_OUT_OF_RANGE, fxc_node_set_arg(relu_, 1, seven_));
  expect(FXC_OUT_OF_RANGE, fxc_graph_subgraph(graph_, 0, &graph_out_));
  expect(FXC_OUT_OF_RANGE, fxc_graph_subgraph_name(graph_, 3, &text_));
  expect(FXC_OUT_OF_RANGE, fxc_type_size(type_, 2, &number_, nullptr));
  expect(FXC_OUT_OF_RANGE, fxc_type_size(type_, -1, &number_, nullptr));
  expect(FXC_OUT_OF_RANGE, fxc_value_item(seven_, 0, &value_out_));
  expect(FXC_OUT_OF_RANGE, fxc_value_sequence(context_, FXC_DICT, &seven_, 1, &value_out_));
  expect(FXC_OUT_OF_RANGE,
         fxc_value_sequence(context_, static_cast<fxc_value_kind>(15), &seven_, 1, &value_out_));
  expect(FXC_OUT_OF_RANGE, fxc_graph_add(graph_, static_cast<fxc_opcode>(6), "f", nullptr, 0,
                                         nullptr, nullptr, 0, nullptr));
  fxc_context_options options = {};
  expect(FXC_BAD_STRUCT, fxc_context_create(&options, &context_out_));
  options.struct_size = 100000;
  expect(FXC_BAD_STRUCT, fxc_context_create(&options, &context_out_));
  fxc_pass_options passes = {};
  passes.struct_size = 3;
  expect(FXC_BAD_STRUCT, fxc_run_passes(graph_, "simplify", &passes, nullptr));
  fxc_interpreter interpreter = {};
  expect(FXC_BAD_STRUCT, fxc_interpret(graph_, nullptr, 0, &interpreter, nullptr, 0, &size_));
  interpreter.struct_size = sizeof(interpreter);
  expect(FXC_NULL_ARGUMENT, fxc_interpret(graph_, nullptr, 0, &interpreter, nullptr, 0, &size_));
}

TEST_F(Misuse, InvalidValuesAreErrors) {
  expect(FXC_INVALID_ARGUMENT, fxc_type_parse(context_, "f32[", &type_out_));
  expect(FXC_FAILED_PRECONDITION, fxc_type_dtype(int_type_, &text_));
  expect(FXC_FAILED_PRECONDITION, fxc_type_rank(int_type_, &number_));
  expect(FXC_FAILED_PRECONDITION, fxc_value_as_string(seven_, &text_));
  expect(FXC_FAILED_PRECONDITION, fxc_value_as_node(seven_, &node_out_));
  expect(FXC_FAILED_PRECONDITION, fxc_value_as_int(x_value_, &number_));
  expect(FXC_FAILED_PRECONDITION, fxc_value_key(seven_, 0, &value_out_));
  expect(FXC_INVALID_ARGUMENT, fxc_value_dtype(context_, "f33", &value_out_));
  expect(FXC_INVALID_ARGUMENT, fxc_add_operator(context_, "no schema"));
  expect(FXC_INVALID_ARGUMENT, fxc_graph_parse(context_, "graph(", 6, &graph_out_));
  expect(FXC_INVALID_ARGUMENT, fxc_graph_parse_json(context_, "{", 1, &graph_out_));
  expect(FXC_NOT_FOUND, fxc_graph_read(context_, "/nowhere/g.fx", &graph_out_));
  expect(FXC_INVALID_ARGUMENT, fxc_graph_read(context_, "-", &graph_out_));
  expect(FXC_INVALID_ARGUMENT, fxc_graph_write(graph_, "", nullptr));
  expect(FXC_INVALID_ARGUMENT, fxc_graph_write(graph_, "g.unknown", nullptr));
  expect(FXC_INVALID_ARGUMENT, fxc_graph_text(graph_, "pretty", &text_, nullptr));
  expect(FXC_FAILED_PRECONDITION, fxc_graph_erase(relu_));
  expect(FXC_FAILED_PRECONDITION, fxc_graph_add_output(graph_, x_value_, nullptr));
  expect(FXC_INVALID_ARGUMENT,
         fxc_graph_add(graph_, FXC_CALL_METHOD, "relu", nullptr, 0, nullptr, nullptr, 0, nullptr));
  expect(FXC_INVALID_ARGUMENT,
         fxc_graph_add(graph_, FXC_CALL_FUNCTION, "", nullptr, 0, nullptr, nullptr, 0, nullptr));
  expect(FXC_INVALID_ARGUMENT, fxc_graph_add_input(graph_, "", nullptr, nullptr));
  const char* const names[] = {"a", "a"};
  const fxc_value twice[] = {seven_, seven_};
  expect(FXC_INVALID_ARGUMENT,
         fxc_graph_add(graph_, FXC_CALL_FUNCTION, "f", nullptr, 0, names, twice, 2, nullptr));
  expect(FXC_NOT_FOUND, fxc_node_meta(relu_, "key", &value_out_));
  expect(FXC_INVALID_ARGUMENT, fxc_node_rename(relu_, ""));
  expect(FXC_INVALID_ARGUMENT, fxc_run_passes(graph_, "no_such_pass", nullptr, nullptr));
  expect(FXC_FAILED_PRECONDITION, fxc_run_passes(graph_, "fold_constants", nullptr, nullptr));
  const char* const plugins[] = {"/nowhere/libplugin.so"};
  const fxc_context_options options = {sizeof(options), plugins, 1};
  expect(FXC_NOT_FOUND, fxc_context_create(&options, &context_out_));
}

TEST_F(Misuse, OtherThreadsAreErrors) {
  std::vector<fxc_status> found;
  std::thread([&] {
    const char* text = nullptr;
    fxc_graph graph = nullptr;
    found.push_back(fxc_node_name(relu_, &text));
    found.push_back(fxc_graph_verify(graph_));
    found.push_back(fxc_graph_create(context_, &graph));
    found.push_back(fxc_run_passes(graph_, "simplify", nullptr, nullptr));
    found.push_back(fxc_context_destroy(context_));
    found.push_back(fxc_value_destroy(seven_));
  }).join();
  for (const fxc_status status : found) expect(FXC_WRONG_THREAD, status);
  // Another thread enters the context, then this thread does.
  std::thread([&] {
    EXPECT_EQ(fxc_context_take(context_), FXC_OK);
    EXPECT_EQ(fxc_graph_verify(graph_), FXC_OK);
  }).join();
  expect(FXC_WRONG_THREAD, fxc_graph_verify(graph_));
  EXPECT_EQ(fxc_context_take(context_), FXC_OK);
}

/// The state of a callback that misuses the interface.
struct Callback {
  fxc_context context = nullptr;
  fxc_graph graph = nullptr;
  std::vector<fxc_status> found = {};
  fxc_call call = nullptr;
  std::vector<void*> released = {};
};

fxc_status misuse(void* user, fxc_call call, fxc_node node, void** result, const char** reason) {
  auto& state = *static_cast<Callback*>(user);
  state.call = call;
  void* value = nullptr;
  state.found = {fxc_graph_erase(node),
                 fxc_node_rename(node, "other"),
                 fxc_node_set_type(node, nullptr),
                 fxc_graph_add_input(state.graph, "y", nullptr, nullptr),
                 fxc_graph_destroy(state.graph),
                 fxc_run_passes(state.graph, "simplify", nullptr, nullptr),
                 fxc_context_destroy(state.context),
                 fxc_add_operator(state.context, "a::b(Tensor x) -> Tensor"),
                 fxc_context_take(state.context)};
  EXPECT_EQ(fxc_call_arg(call, 9, -1, &value), FXC_OUT_OF_RANGE);
  EXPECT_EQ(fxc_call_arg(call, 0, 0, &value), FXC_OUT_OF_RANGE);
  EXPECT_EQ(fxc_call_keyword(call, "no", -1, &value), FXC_NOT_FOUND);
  const char* name = nullptr;
  EXPECT_EQ(fxc_node_name(node, &name), FXC_OK);  // callbacks may read the graph
  if (std::string(name) == "sum") {
    EXPECT_EQ(fxc_call_arg(call, 1, -1, &value), FXC_FAILED_PRECONDITION);
    *reason = "no sums today";
    return FXC_UNIMPLEMENTED;
  }
  *result = &state;
  return FXC_OK;
}

TEST_F(Misuse, CallbacksMustNotChangeTheGraph) {
  Callback state;
  state.context = context_;
  state.graph = graph_;
  const fxc_interpreter interpreter = {
      sizeof(interpreter), &state, misuse,
      [](void* user, void* value) { static_cast<Callback*>(user)->released.push_back(value); }};
  void* const inputs[] = {nullptr};
  void* results[1];
  expect(FXC_UNIMPLEMENTED, fxc_interpret(graph_, inputs, 1, &interpreter, results, 1, &size_));
  EXPECT_THAT(fxc_message(), testing::HasSubstr("no sums today"));
  EXPECT_THAT(state.released, testing::ElementsAre(&state));
  for (const fxc_status status : state.found) expect(FXC_IN_USE, status);
  // After the callback returns, its call object is invalid.
  void* value = nullptr;
  expect(FXC_DESTROYED, fxc_call_arg(state.call, 0, -1, &value));
  expect(FXC_INVALID_ARGUMENT, fxc_interpret(graph_, inputs, 0, &interpreter, results, 1, &size_));
}

}  // namespace
}  // namespace fx::misuse_test
