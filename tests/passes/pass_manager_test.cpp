#include "fx/passes/manager/pass_manager.h"

#include "fx/ir/files/graph_file.h"
#include "fx/ir/graph/context.h"
#include "fx/ir/graph/graph.h"
#include "fx/ir/graph/provenance/provenance.h"
#include "fx/ir/support/files.h"
#include "fx/ir/text/text.h"
#include "fx/ir/verify/hash.h"
#include "fx/ir/verify/verifier.h"
#include "fx/passes/cleanup/eliminate_dead_code.h"
#include "tests/testing/random_graph.h"
#include "tests/testing/status_matchers.h"

#include "gtest/gtest.h"

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace fx {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::IsOk;
using testing::StatusIs;

class PassManagerTest : public ::testing::Test {
 protected:
  PassManagerTest() {
    graph_ = *parse_graph(context_, R"(graph(%x) {
      %a = aten.add.Tensor(%x, 1)
      %b = aten.relu.default(%a)
      %dead = aten.neg.default(%b)
      return %b
    })");
  }

  /// Returns a pass that records that it ran, and reports no change.
  Pass recording(const std::string& name) {
    return {name, "records its name", [this, name](PassRun&) -> absl::StatusOr<bool> {
              ran_.push_back(name);
              return false;
            }};
  }
  static Pass renaming(bool reports_change) {
    return {"rename", "renames a node", [reports_change](PassRun& run) -> absl::StatusOr<bool> {
              run.graph()
                  .find_nodes(Opcode::kCallFunction)
                  .front()
                  ->rename(reports_change ? "reported" : "unreported");
              return reports_change;
            }};
  }
  static Pass add_to_sub() {
    return {"add_to_sub", "subtracts instead of adding", [](PassRun& run) -> absl::StatusOr<bool> {
              Context& context = run.graph().context();
              bool changed = false;
              for (Node* node : run.graph().find_nodes(context.function("aten.add.Tensor"))) {
                node->set_function(context.function("aten.sub.Tensor"));
                changed = true;
              }
              return changed;
            }};
  }

  Context context_;
  std::unique_ptr<Graph> graph_;
  std::vector<std::string> ran_;
};

// parity: P25 P31 M24
TEST_F(PassManagerTest, RecordsCountsOfPasses) {
  const Pass counting = {"counting", "counts", [](PassRun& run) -> absl::StatusOr<bool> {
                           run.count("seen");
                           run.count("never", 0);
                           run.count("more", 12);
                           run.count("seen", 2);
                           return false;
                         }};
  PassManager manager({counting, recording("quiet")});
  FX_ASSERT_OK_AND_ASSIGN(const PassReport report, manager.run(*graph_));
  ASSERT_EQ(report.records[0].counts.size(), 2u);
  EXPECT_EQ(report.records[0].counts[0].what, "seen");
  EXPECT_EQ(report.records[0].counts[0].count, 3u);
  EXPECT_EQ(report.records[0].counts[1].count, 12u);
  EXPECT_TRUE(report.records[1].counts.empty());
  EXPECT_THAT(report.str(), HasSubstr("           3 seen\n          12 more\n"));
}

TEST_F(PassManagerTest, RunsPassesInOrderAndReportsChanges) {
  FX_ASSERT_OK_AND_ASSIGN(Pipeline pipeline,
                          parse_pipeline(standard_passes(), "eliminate_dead_code"));
  PassManager manager(std::move(pipeline), {.check_changed = true, .record_nodes = true});
  manager.add(add_to_sub()).add(recording("last"));
  FX_ASSERT_OK_AND_ASSIGN(const PassReport report, manager.run(*graph_));
  EXPECT_TRUE(report.changed);
  ASSERT_EQ(report.records.size(), 3u);
  EXPECT_TRUE(report.records[0].changed);
  EXPECT_EQ(report.records[0].nodes_before, 5u);
  EXPECT_EQ(report.records[0].nodes_after, 4u);
  EXPECT_THAT(report.records[0].erased, ElementsAre("dead"));
  EXPECT_TRUE(report.records[1].changed);
  EXPECT_FALSE(report.records[2].changed);
  EXPECT_THAT(report.str(), HasSubstr("eliminate_dead_code    changed            5 -> 4"));
  EXPECT_EQ(graph_->find_node("a")->target(), "aten.sub.Tensor");
  FX_ASSERT_OK_AND_ASSIGN(const PassReport again, manager.run(*graph_));
  EXPECT_FALSE(again.changed);
}

TEST_F(PassManagerTest, IncorrectChangeReportsAreDetected) {
  const PassManagerOptions options{.check_changed = true};
  PassManager silent({}, options), loud({}, options), honest({}, options);
  honest.add(renaming(true));
  EXPECT_THAT(honest.run(*graph_), IsOk());
  silent.add(renaming(false));
  EXPECT_THAT(
      silent.run(*graph_).status(),
      StatusIs(
          absl::StatusCode::kInternal,
          HasSubstr("pass 1, rename: the pass reports that the graph did not change, but it did")));
  loud.add(Pass{"loud", "reports a change", [](PassRun&) -> absl::StatusOr<bool> { return true; }});
  EXPECT_THAT(loud.run(*graph_).status(),
              StatusIs(absl::StatusCode::kInternal, HasSubstr("but it did not")));
}

// parity: P26
TEST_F(PassManagerTest, RepeatsUntilNothingChanges) {
  const Pass one_dead{"one_dead", "erases one dead call", [](PassRun& run) -> absl::StatusOr<bool> {
                        for (Node& node : run.graph().nodes().reversed()) {
                          if (node.op() != Opcode::kCallFunction || node.has_uses()) continue;
                          FX_RETURN_IF_ERROR(run.graph().erase_node(&node));
                          return true;
                        }
                        return false;
                      }};
  auto chain = *parse_graph(context_, R"(graph(%x) {
    %a = aten.relu.default(%x)
    %b = aten.relu.default(%a)
    %c = aten.relu.default(%b)
    return %x
  })");
  PassManager twice({}, {.max_rounds = 2});
  FX_ASSERT_OK_AND_ASSIGN(const PassReport first, twice.add(one_dead).run(*chain));
  EXPECT_FALSE(first.converged);
  EXPECT_EQ(first.rounds, 2);
  EXPECT_EQ(chain->size(), 3u);
  PassManager often({}, {.max_rounds = 10});
  FX_ASSERT_OK_AND_ASSIGN(const PassReport second, often.add(one_dead).run(*chain));
  EXPECT_TRUE(second.converged);
  EXPECT_EQ(second.rounds, 2);
  EXPECT_EQ(chain->size(), 2u);
}

// parity: P26
TEST_F(PassManagerTest, ConstraintsAreCheckedAndSortedOnRequest) {
  PassManager manager;
  manager.add(recording("a")).add(recording("b")).add(recording("c"));
  manager.add_constraint("c", "a");
  EXPECT_THAT(manager.run(*graph_).status(), StatusIs(absl::StatusCode::kFailedPrecondition,
                                                      HasSubstr("pass c must run before a")));
  EXPECT_TRUE(ran_.empty());
  ASSERT_THAT(manager.sort_by_constraints(), IsOk());
  EXPECT_EQ(to_string(manager.pipeline()), "b,c,a");
  ASSERT_THAT(manager.run(*graph_), IsOk());
  EXPECT_THAT(ran_, ElementsAre("b", "c", "a"));
  manager.add_constraint("a", "b").add_constraint("b", "c");
  EXPECT_THAT(manager.sort_by_constraints(),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("form a cycle: b, c, a")));
}

// parity: P26
TEST_F(PassManagerTest, ErrorsNameThePassAndEarlierPasses) {
  PassManager manager;
  manager.add(recording("first"));
  manager.add(Pass{"bad", "fails", [](PassRun&) -> absl::StatusOr<bool> {
                     return absl::UnimplementedError("cannot do that");
                   }});
  EXPECT_THAT(manager.run(*graph_).status(),
              StatusIs(absl::StatusCode::kUnimplemented,
                       "pass 2, bad: cannot do that\n  passes that ran before: first"));
}

TEST_F(PassManagerTest, InvalidGraphsAreAttributedToTheirPass) {
  PassManager manager;
  manager.add(recording("first"));
  manager.add(Pass{
      "swap", "moves an operand after its user", [](PassRun& run) -> absl::StatusOr<bool> {
        FX_RETURN_IF_ERROR(run.graph().find_node("a")->move_after(*run.graph().find_node("b")));
        return true;
      }});
  std::string after;  // the text of the invalid graph
  manager.set_after_pass([&](const Graph& graph, const PassRecord& record) {
    after += record.step + (record.failed ? " failed\n" + print(graph) : "\n");
  });
  EXPECT_THAT(manager.run(*graph_).status(),
              StatusIs(absl::StatusCode::kInternal,
                       AllOf(HasSubstr("pass 2, swap: the graph is invalid after the pass"),
                             HasSubstr("V8 at %b"))));
  EXPECT_THAT(after, ::testing::StartsWith("first\nswap failed\ngraph"));
  EXPECT_LT(after.find("%b ="), after.find("%a =")) << after;
  // An invalid input graph is not attributed to a pass.
  EXPECT_THAT(PassManager().run(*graph_).status(), StatusIs(absl::StatusCode::kFailedPrecondition));
}

// parity: P25 P26
TEST_F(PassManagerTest, HooksReceiveNotesOfFailedPasses) {
  const Pass failing = {"failing", "fails", [](PassRun& run) -> absl::StatusOr<bool> {
                          run.note("tried a");
                          run.count("nodes read", 3);
                          return absl::FailedPreconditionError("cannot rewrite a");
                        }};
  PassManager manager({failing});
  std::vector<std::string> notes;
  size_t count = 0;
  manager.set_after_pass([&](const Graph&, const PassRecord& record) {
    EXPECT_TRUE(record.failed);
    notes = record.notes;
    for (const PassCount& each : record.counts) count += each.count;
  });
  EXPECT_THAT(manager.run(*graph_).status(),
              StatusIs(absl::StatusCode::kFailedPrecondition, HasSubstr("cannot rewrite a")));
  EXPECT_THAT(notes, ElementsAre("tried a"));
  EXPECT_EQ(count, 3u);
}

TEST_F(PassManagerTest, RequirementsAndChecksRunOnTheCorrectGraph) {
  const auto check = [](size_t size) {
    return [size](const Graph& graph) -> absl::Status {
      if (graph.size() == size) return absl::OkStatus();
      return absl::FailedPreconditionError(std::to_string(graph.size()) + " nodes");
    };
  };
  Pass pass{"dce", "removes", [](PassRun& run) { return eliminate_dead_code(run.graph()); }};
  pass.requires_before = check(5);
  pass.ensures_after = check(4);  // torch.fx would check the input module
  PassManager manager;
  manager.add(pass).add_check(check(4));
  EXPECT_THAT(manager.run(*graph_), IsOk());
  EXPECT_THAT(manager.run(*graph_).status(),
              StatusIs(absl::StatusCode::kFailedPrecondition, "pass 1, dce: 4 nodes"));
}

// parity: P29
TEST_F(PassManagerTest, BisectLimitAndDisabledSkipPasses) {
  PassManager limited({}, {.bisect_limit = 2});
  limited.add(recording("a")).add(recording("b")).add(recording("c"));
  FX_ASSERT_OK_AND_ASSIGN(const PassReport report, limited.run(*graph_));
  EXPECT_THAT(ran_, ElementsAre("a", "b"));
  EXPECT_TRUE(report.records[2].skipped);
  ran_.clear();
  PassManager without({}, {.disabled = {"b"}});
  without.add(recording("a")).add(recording("b")).add(recording("c"));
  ASSERT_THAT(without.run(*graph_), IsOk());
  EXPECT_THAT(ran_, ElementsAre("a", "c"));
}

// parity: P29
TEST_F(PassManagerTest, ProvenanceNamesThePass) {
  PassManager manager({}, {.provenance = true, .record_nodes = true});
  manager.add(Pass{"gelu", "replaces relu", [](PassRun& run) -> absl::StatusOr<bool> {
                     Node* relu = run.graph().find_node("b");
                     auto guard = run.graph().inserting_after(relu);
                     Node* gelu = run.graph().call_function(
                         run.graph().context().function("aten.gelu.default"),
                         {relu->arg(0).node()});
                     relu->replace_all_uses_with(gelu);
                     return true;
                   }});
  FX_ASSERT_OK_AND_ASSIGN(const PassReport report, manager.run(*graph_));
  EXPECT_THAT(report.records[0].created, ElementsAre("gelu_default"));
  const std::vector<NodeSource> sources = node_sources(*graph_->find_node("gelu_default"));
  ASSERT_FALSE(sources.empty());
  EXPECT_EQ(sources.back().name, "b");
  EXPECT_EQ(sources.back().pass_name, "gelu");
}

TEST_F(PassManagerTest, TheReproducerReproducesTheFailure) {
  const std::string path = ::testing::TempDir() + "/pass_manager_reproducer.fx";
  std::filesystem::remove(path);
  Pass bad{"bad", "fails", [](PassRun& run) -> absl::StatusOr<bool> {
             if (run.integer("after") > 2) return absl::InternalError("too far");
             return false;
           }};
  bad.options = {{"after", 0, "how far"}};
  PassTable passes = standard_passes();
  ASSERT_THAT(passes.add(bad), IsOk());
  FX_ASSERT_OK_AND_ASSIGN(Pipeline pipeline,
                          parse_pipeline(passes, "eliminate_dead_code,bad,bad{after=3}"));
  const PassManager manager(pipeline, {.reproducer = path});
  EXPECT_THAT(manager.run(*graph_).status(),
              StatusIs(absl::StatusCode::kInternal, HasSubstr("to reproduce it: " + path)));
  FX_ASSERT_OK_AND_ASSIGN(const auto again, read_graph_file(context_, path));
  EXPECT_EQ(again->size(), 4u);  // the dead call is already removed
  ASSERT_TRUE(again->meta(kPipelineKey));
  FX_ASSERT_OK_AND_ASSIGN(Pipeline kept,
                          parse_pipeline(passes, again->meta(kPipelineKey)->as_string()));
  EXPECT_EQ(to_string(kept), "bad{after=3}");
  EXPECT_THAT(PassManager(kept).run(*again).status(), StatusIs(absl::StatusCode::kInternal));
  // On success, the file is removed.
  pipeline.pop_back();
  ASSERT_THAT(PassManager(pipeline, {.reproducer = path}).run(*graph_), IsOk());
  EXPECT_FALSE(std::filesystem::exists(path));
}

// parity: P27
TEST_F(PassManagerTest, AdaptersDetectChanges) {
  PassManager manager({}, {.check_changed = true});
  manager.add(Pass{"dce", "removes",
                   pass_from([](Graph& graph) { return eliminate_dead_code(graph).status(); })});
  FX_ASSERT_OK_AND_ASSIGN(const PassReport first, manager.run(*graph_));
  EXPECT_TRUE(first.changed);
  FX_ASSERT_OK_AND_ASSIGN(const PassReport second, manager.run(*graph_));
  EXPECT_FALSE(second.changed);  // torch.fx's wrapper would return True
}

TEST(PipelineTest, TextRoundTrips) {
  PassTable passes;
  const PassFunction nothing = [](PassRun&) -> absl::StatusOr<bool> { return false; };
  ASSERT_THAT(
      passes.add(
          {"p", "p", nothing, {{"on", true, ""}, {"n", 1, ""}, {"f", 0.5, ""}, {"s", "", ""}}}),
      IsOk());
  ASSERT_THAT(passes.add({"q", "q", nothing}), IsOk());
  for (const std::string text :
       {"", "p", "p,q", "p{on=false},q,p{n=-3}", R"(p{f=0.1,s="a, b\"\\}"})", "p{s=word}"}) {
    FX_ASSERT_OK_AND_ASSIGN(const Pipeline pipeline, parse_pipeline(passes, text));
    EXPECT_EQ(to_string(pipeline), text);
  }
  FX_ASSERT_OK_AND_ASSIGN(const Pipeline spaced,
                          parse_pipeline(passes, " p { n = 2 , on } ,\n q "));
  EXPECT_EQ(to_string(spaced), "p{n=2},q");
  const std::pair<std::string, std::string> wrong[] = {
      {"r", R"(unknown pass "r"; the passes are p, q)"},
      {"p,", "a name is missing after the last comma"},
      {"p{m=1}", R"(unknown option "m" of pass p; its options are on, n, f, s)"},
      {"q{m=1}", R"(unknown option "m" of pass q; it has no options)"},
      {"p{n=x}", R"(option n of pass p must be an integer, not "x")"},
      {"p{n}", R"(option n of pass p must be an integer, not "true")"},
      {"p{on=1}", R"(option on of pass p must be true or false, not "1")"},
      {"p{f=}", R"(option f of pass p must be a number, not "")"},
      {"p{n=1", "have no closing brace"},
      {"p{n=1}q", R"(expected a comma before "q")"},
      {"p{s=\"a", "closing quote"},
  };
  for (const auto& [text, message] : wrong)
    EXPECT_THAT(parse_pipeline(passes, text).status(),
                StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr(message)));
}

TEST(PassTableTest, RowsAreChecked) {
  const PassFunction nothing = [](PassRun&) -> absl::StatusOr<bool> { return false; };
  PassTable passes;
  EXPECT_THAT(passes.add({"b", "b", nothing}), IsOk());
  EXPECT_THAT(passes.add({"a", "a", nothing}), IsOk());
  EXPECT_THAT(passes.add({"b", "b", nothing}), StatusIs(absl::StatusCode::kAlreadyExists));
  EXPECT_THAT(passes.add({"a-b", "", nothing}), StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_THAT(passes.add({"c", "", {}}), StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_THAT(passes.add({"c", "", nothing, {{"x", Argument(), ""}}}),
              StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_THAT(passes.add({"c", "", nothing, {{"x", 1, ""}, {"x", 2, ""}}}),
              StatusIs(absl::StatusCode::kInvalidArgument));
  ASSERT_EQ(passes.passes().size(), 2u);
  EXPECT_EQ(passes.passes()[0].name, "a");
  EXPECT_EQ(passes.find("c"), nullptr);
}

// Runs each pass with its default options on random graphs in shuffled orders. The pass must report
// changes correctly, and the graph must be valid.
TEST(StandardPassesTest, ReportChangesOfRandomGraphsCorrectly) {
  Context context;
  for (const Pass& pass : standard_passes().passes()) {
    int ran = 0, changed = 0;
    for (uint64_t seed = 1; seed <= 60; ++seed) {
      const std::unique_ptr<Graph> graph =
          testing::random_graph(context, seed, {.max_nodes = 40, .max_argument_depth = 1});
      if (!verify(*graph, {.warnings = false}).ok()) continue;
      PassManager manager({pass}, {.check_changed = true, .shuffle_seed = seed});
      const absl::StatusOr<PassReport> report = manager.run(*graph);
      // A pass may reject a graph, but must not make it invalid or report changes incorrectly.
      EXPECT_NE(report.status().code(), absl::StatusCode::kInternal) << report.status() << seed;
      ran += report.ok() ? 1 : 0;
      changed += report.ok() && report->changed ? 1 : 0;
    }
    RecordProperty(pass.name,
                   std::to_string(ran) + " ran, " + std::to_string(changed) + " changed");
  }
}

}  // namespace
}  // namespace fx
