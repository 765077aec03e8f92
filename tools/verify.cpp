// fxcpp verify: prints all findings of ir/verify/verifier.h as text or JSON.
#include "fx/importers/pt2/pt2.h"
#include "fx/ir/support/status.h"
#include "fx/ir/verify/verifier.h"
#include "fx/tools/driver/extensions.h"
#include "tools/command.h"

#include "fmt/format.h"
#include "nlohmann/json.hpp"

#include "CLI/CLI.hpp"

namespace fx::tools {
namespace {

std::string to_json(const VerifierReport& report) {
  nlohmann::ordered_json findings = nlohmann::ordered_json::array();
  for (const Finding& finding : report.findings) {
    findings.push_back({{"severity", finding.severity == Severity::kError ? "error" : "warning"},
                        {"rule", fmt::format("V{}", static_cast<int>(finding.invariant))},
                        {"location", finding.location},
                        {"message", finding.message},
                        {"hint", finding.hint}});
  }
  nlohmann::ordered_json document = {{"errors", report.num_errors},
                                     {"warnings", report.num_warnings},
                                     {"findings", std::move(findings)}};
  return document.dump(1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

}  // namespace

Run add_verify(CLI::App& app) {
  struct VerifyFlags {
    std::string input;
    bool json = false, no_warnings = false, dead = false;
  };
  auto options = std::make_shared<VerifyFlags>();
  app.add_option("INPUT", options->input, "the graph")->required();
  app.add_flag("--json", options->json,
               "{errors, warnings, findings: [{severity, rule, location, "
               "message, hint}]}");
  app.add_flag("--no-warnings", options->no_warnings, "report only errors");
  app.add_flag("--dead", options->dead, "report values without users");
  return [options]() -> absl::StatusOr<int> {
    Context context;
    FX_RETURN_IF_ERROR(command_extensions().set_up(context));
    if (is_pt2_file(options->input))  // also verifies the weights
      FX_RETURN_IF_ERROR(read_pt2(context, options->input).status());
    FX_ASSIGN_OR_RETURN(std::unique_ptr<Graph> graph, load_graph(context, options->input));
    VerifierReport report =
        verify(*graph, {.warnings = !options->no_warnings, .report_dead = options->dead});
    FX_RETURN_IF_ERROR(write_file("-", options->json ? to_json(report) : report.str()));
    return report.ok() ? kDone : kFound;
  };
}

}  // namespace fx::tools
