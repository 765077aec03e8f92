// Lesson 4: shapes. Computes the memory that training a transformer block needs at batch sizes from
// 1 to 1,024. The program does not run the block: it uses the types of the training graph
// (block.fx, with the forward and the backward pass, written by make_block.py), and takes less than
// a millisecond per size.
//
//   example_04_shapes [block.fx]
#include "fx/ir/graph/context.h"
#include "fx/ir/support/files.h"
#include "fx/ir/support/status.h"
#include "fx/ir/text/text.h"
#include "fx/passes/shape/check/compare_graph.h"
#include "fx/passes/shape/shape_prop.h"
#include "fx/passes/summary/summary.h"

#include "fmt/format.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

namespace {

struct Point {
  int64_t batch, forward, backward, saved;
};

/// Types the graph at one batch size, and returns its memory.
absl::StatusOr<Point> measure(const fx::Graph& block, fx::Symbol symbol, int64_t batch,
                              fx::TypeCache& cache) {
  const std::unique_ptr<fx::Graph> graph = block.clone();
  FX_RETURN_IF_ERROR(fx::set_input_sizes(*graph, {{symbol, fx::SymValue(batch)}}));
  const fx::ShapeReport report = fx::propagate_types(*graph, {.cache = &cache});
  if (!report.ok()) return absl::FailedPreconditionError(report.str());
  FX_ASSIGN_OR_RETURN(const fx::GraphSummary summary, fx::summarize(*graph));
  return Point{batch, summary.peak_forward.bytes, summary.peak_backward.bytes, summary.saved_bytes};
}

/// Four characters for each doubling above 16 MiB.
std::string bar(int64_t bytes, char fill) {
  const double doublings = std::log2(static_cast<double>(bytes) / (16 << 20));
  return std::string(static_cast<size_t>(std::lround(std::max(0.0, doublings) * 4)), fill);
}

absl::Status run(const std::string& file) {
  fx::Context context;
  FX_ASSIGN_OR_RETURN(const std::string text, fx::read_file(file));
  FX_ASSIGN_OR_RETURN(const std::unique_ptr<fx::Graph> block, fx::parse_graph(context, text));

  // The batch size is a symbol, dimension 0 of the block's input; types with it hold for any batch
  // size of 2 or more.
  const fx::Type input = block->find_node("primals_13")->type();
  const fx::Symbol batch = input.sizes()[0].expr().name();
  std::cout << "input " << to_string(input) << ", " << block->size() << " nodes\n";

  const auto start = std::chrono::steady_clock::now();
  fx::TypeCache cache(context);  // types that do not depend on the batch are computed once
  std::vector<Point> points;
  for (int64_t n = 1; n <= 1024; n *= 2) {
    FX_ASSIGN_OR_RETURN(points.emplace_back(), measure(*block, batch, n, cache));
  }
  const std::chrono::duration<double, std::milli> time = std::chrono::steady_clock::now() - start;
  std::cerr << fmt::format("{} sizes in {:.1f} ms\n", points.size(), time.count());

  std::cout << "\nbatch   forward    backward   saved for backward\n";
  for (const Point& p : points) {
    std::cout << fmt::format("{:5}  {:>10} {:>10}  {:>10}\n", p.batch, fx::bytes_text(p.forward),
                             fx::bytes_text(p.backward), fx::bytes_text(p.saved));
  }
  std::cout << "\npeak memory, four characters for each doubling from 16 MiB\n";
  for (const Point& p : points) {
    std::cout << fmt::format("{:5} forward  |{}\n", p.batch, bar(p.forward, '-'));
    std::cout << fmt::format("{:5} backward |{}\n", "", bar(p.backward, '='));
  }
  return absl::OkStatus();
}

}  // namespace

int main(int argc, char** argv) {
  const absl::Status status = run(argc > 1 ? argv[1] : "block.fx");
  if (!status.ok()) std::cerr << status << "\n";
  return status.ok() ? 0 : 1;
}
