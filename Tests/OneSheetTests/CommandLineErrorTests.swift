import ArgumentParser
import OneSheetConfiguration
import PosterTesting
import Testing

@testable import onesheet

/// Errors of command lines are one line and the usage; the help of a command has its own options.
@Suite(.timeLimit(.hang))
struct CommandLineErrorTests {
    private static let options = "[<options of 'serve'>]"
    private static let render = "onesheet render [<options>] <input> <output>"
    private static let search = "onesheet search <words> ... [--year <year>] [--page <page>] [--json] \(options)"
    private static let sign = "onesheet sign <url> [--key-file <key-file>] [--expires <expires>]"
    private static let root = "onesheet <subcommand>"
    private static let notURL = "is neither a path, which begins with /, nor an absolute URL"

    /// Wrong command lines, with their reasons and usages.
    static let refusals: [([String], String, String)] = [
        (["sevre"], "there is no command 'sevre'; did you mean 'serve'?", root),
        (["sevre", "--port", "1"], "there is no command 'sevre'; did you mean 'serve'?", root),
        (["frobnicate", "x"], "there is no command 'frobnicate'", root),
        (["hlep", "serve"], "there is no command 'hlep'; did you mean 'help'?", root),
        (["help", "rendr"], "there is no command 'rendr'; did you mean 'render'?", root),
        (
            ["library", "exprot", "device:1"], "there is no command 'library exprot'; did you mean 'library export'?",
            "onesheet library <subcommand>"
        ),
        (["--verison"], "there is no option '--verison'; did you mean '--version'?", root),
        (["render", "--widht", "100", "a"], "there is no option '--widht'; did you mean '--width'?", render),
        (["render", "-width", "100", "a", "b.jpg"], "there is no option '-width'; did you mean '--width'?", render),
        (
            ["render", "a", "b.jpg", "--max-pixel=9"], "there is no option '--max-pixel'; did you mean '--max-pixels'?",
            render
        ),
        (["render", "a", "b.jpg", "-x"], "unknown option '-x'", render),
        (
            ["render", "a", "b.jpg", "-w", "92", "--width=154", "-w", "185"],
            "--width is given twice; write --width 92,154", render
        ), (["render", "a", "b.jpg", "--dpr", "1", "--dpr", "2"], "--dpr is given twice", render),
        (["render", "a"], "missing expected argument '<output>'", render),
        (["render", "a", "b.jpg", "c"], "unexpected argument 'c'", render),
        (["render", "a", "b.jpg", "--width"], "missing value for '--width <width>'", render),
        (["probe"], "missing expected argument '<files> ...'", "onesheet probe [<options>] <files> ..."),
        (
            ["status", "--jsn"], "there is no option '--jsn'; did you mean '--json'?",
            "onesheet status [--all] [--json] \(options)"
        ),
        (
            ["purge", "--data-dri", "x", "y"], "there is no option '--data-dri'; did you mean '--data-dir'?",
            "onesheet purge <ids> ... [--json] \(options)"
        ),
        (
            ["warm"], "missing expected argument '<ids> ...'",
            "onesheet warm <ids> ... [--width <width> ...] [--format <format> ...] [--json] \(options)"
        ),
        (
            ["warm", "x", "--width", "92,wide"], "--width must be whole numbers of pixels, not 'wide'",
            "onesheet warm <ids> ... [--width <width> ...] [--format <format> ...] [--json] \(options)"
        ),
        (["serve", "--prot", "80"], "there is no option '--prot'; did you mean '--port'?", "onesheet serve <options>"),
        (["serve", "--frobnicate"], "there is no option '--frobnicate'", "onesheet serve <options>"),
        (["serve", "extra"], "unexpected argument 'extra'", "onesheet serve <options>"),
        (
            ["config", "--json=yes"], "the option '--json' does not take any value, but 'yes' was specified",
            "onesheet config [--json] \(options)"
        ),
        (["search", "a", "--page", "0"], "--page must be from 1 to 500", search),
        (["search", "a", "--year", "next"], "--year must be from 1888 to 2999", search),
        (
            ["boxoffice", "--date", "today"], "--date must be a valid date, as YYYY-MM-DD",
            "onesheet boxoffice [--date <date>] [--span <span>] [--json] \(options)"
        ),
        (["sign", "poster"], "'poster' \(notURL)", sign), (["sign", "a\nb\u{1b}"], #"'a b\u{1b}' \#(notURL)"#, sign),
    ]

    @Test(arguments: refusals)
    func aWrongCommandLineIsExplainedInOneLine(arguments: [String], reason: String, usage: String) async throws {
        let run = CommandLineRun(arguments: arguments)
        let error = await #expect(throws: (any Error).self) {
            try run.check()
            _ = try await OneSheet.asyncParseAsRoot(arguments)
        }
        let thrown = try #require(error)
        #expect(OneSheet.exitCode(for: thrown) == .validationFailure)
        #expect(run.errorText(for: thrown) == "onesheet: \(reason)\nusage: \(usage)")
    }

    @Test func itIsWrittenToStandardError() async throws {
        let outcome = try await Program.run(["sevre"])
        #expect(outcome.status == 64 && outcome.output.isEmpty)
        #expect(
            outcome.errors
                == "onesheet: there is no command 'sevre'; did you mean 'serve'?\nusage: onesheet <subcommand>\n")
    }

    @Test func theHelpOfACommandHasItsOwnOptionsAndSaysWhereTheSharedOnesAre() {
        for command in OneSheet.configuration.subcommands {
            let name = command._commandName
            let own = (command as? any AbridgedHelp.Type)?.abridgedHelp(columns: 80)
            #expect(name != "serve" || own == nil)
            guard name != "serve" else { continue }
            let help = own ?? OneSheet.helpMessage(for: command, columns: 80)
            let lines = help.split(separator: "\n", omittingEmptySubsequences: false)
            #expect(lines.count <= 60, "\(name): \(lines.count)")
            #expect(help.contains("USAGE: onesheet \(name)"), "\(help)")
            #expect(!help.contains("--data-dir <"), "\(name)")
            #expect(own == nil || lines.suffix(2).joined(separator: " ").contains("'onesheet help serve'"), "\(help)")
        }
    }

    @Test func theHelpSaysWhereTheManualIsAndServesTheMostUsedOptions() async throws {
        let root = try await Program.run(["help"]).output
        #expect(root.contains("--generate-completion-script") && root.contains("man onesheet"), "\(root)")
        let serve = try await Program.run(["help", "serve"]).output.split(separator: "USAGE")[0]
        for text in ["--port", "--host", "--data-dir", "--tmdb-key", "/poster/NAME:key", "--allow-private-origins"] {
            #expect(serve.contains(text), "\(text)")
        }
        for command in ["search", "verify"] {
            #expect(try await !Program.run(["help", command]).output.contains("(default:"), "\(command)")
        }
    }

    @Test func sharedOptionsAreInTheHiddenHelp() async throws {
        for arguments in [["help", "status"], ["status", "--help"], ["status", "-h"]] {
            let help = try await Program.run(arguments)
            #expect(help.status == 0)
            #expect(help.output.contains("USAGE: onesheet status [--all] [--json] \(Self.options)"), "\(help.output)")
            #expect(help.output.contains("--all") && !help.output.contains("--disk-budget"))
            #expect(help.output.hasSuffix("see 'onesheet help serve' or --help-hidden.\n"), "\(help.output)")
        }
        for arguments in [["status", "--help-hidden"], ["help", "serve"]] {
            #expect(try await Program.run(arguments).output.contains("--disk-budget"))
        }
        let render = try await Program.run(["render", "--help"])
        #expect(render.output.contains("-w, --width <width>") && !render.output.contains("LIMITS"))
        #expect(try await Program.run(["render", "--help-hidden"]).output.contains("--max-chunks"))
    }
}
