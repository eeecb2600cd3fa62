import ArgumentParser
import OneSheetConfiguration
import OneSheetServer

/// `onesheet config`
struct Config: ServiceAction {
    typealias ServerOptions = HTTPServerOptions

    static let configuration = CommandConfiguration(
        commandName: "config",
        abstract: "Shows the settings that 'serve' would run with, and their sources.",
        discussion:
            "Takes the options of 'serve' without starting a server. Fails if 'serve' would reject an option or its file. Secrets are masked."
    )

    @Flag(help: "Print one JSON object on one line.")
    var json = false

    @Flag(help: ArgumentHelp("The table of options for docs/configuration.md.", visibility: .hidden))
    var table = false

    @Flag(help: ArgumentHelp("The manual page, as troff.", visibility: .hidden))
    var man = false

    func run(_ given: [String: [String]]) async throws {
        do {
            if self.table {
                try StandardOutput.write(SettingsTable.markdown(SettingDescription.all))
            } else if self.man {
                try StandardOutput.write(try ManualPage(CommandHelp(OneSheet.self)).troff)
            } else {
                let (settings, configuration) = try ConfigurationSource(commandLine: given).validated()
                do {
                    try configuration.checkFiles()
                } catch let error as SettingError {
                    throw error.placed(in: settings)
                }
                self.warnOfUnknownVariables(settings)
                let report = SettingsReport(settings, configuration)
                try StandardOutput.write(self.json ? try JSONLine.encode(report) : report.text)
            }
        } catch let code as ExitCode {
            throw code
        } catch {
            throw StandardError.failure("\(error)")
        }
    }

    /// Prints the warnings that `serve` logs.
    private func warnOfUnknownVariables(_ settings: Settings) {
        let unknown = settings.unknownVariables(known: Set(SettingDescription.all.map(\.name)))
        for (name, nearest) in unknown.prefix(PosterServer.namedVariables) {
            let hint = nearest.map { "; did you mean \(TerminalText.escaped($0))?" } ?? ""
            StandardError.write("onesheet: no option has the variable \(TerminalText.escaped(name))\(hint)")
        }
    }
}

extension ConfigurationSource {
    /// Reads the configuration of a command. An invalid one ends the command with one line, without the usage.
    func validated() throws -> (settings: Settings, configuration: ServeConfiguration) {
        do {
            return try self.read()
        } catch {
            throw StandardError.failure("\(error)", .validationFailure)
        }
    }
}

extension ServeConfiguration {
    static func read(_ given: [String: [String]]) throws -> ServeConfiguration {
        try ConfigurationSource(commandLine: given).validated().configuration
    }
}
