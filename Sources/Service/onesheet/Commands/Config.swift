import ArgumentParser
import OneSheetConfiguration
import OneSheetServer

/// `onesheet config`
struct Config: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Says what 'serve' would run with, and where that comes from.",
        // The generated usage would name 'serve', whose options it takes.
        usage: "onesheet config [--json] [<options of 'serve'>]",
        discussion:
            "Takes the options of 'serve' and starts nothing. Fails when 'serve' would refuse them or a file that they name. Secrets are masked."
    )

    @Flag(help: "As one JSON object on one line.")
    var json = false

    @Flag(help: ArgumentHelp("The table of options for docs/configuration.md.", visibility: .hidden))
    var table = false

    @Flag(help: ArgumentHelp("The manual page, as troff.", visibility: .hidden))
    var man = false

    @OptionGroup
    var serve: ServeOptions

    func run() async throws {
        do {
            if self.table {
                try StandardOutput.write(SettingsTable.markdown(SettingDescription.all))
            } else if self.man {
                try StandardOutput.write(try ManualPage(CommandHelp(OneSheet.self)).troff)
            } else {
                let (settings, configuration) = try ConfigurationSource(commandLine: self.serve.given).validated()
                do {
                    try configuration.checkFiles()
                } catch let error as SettingError {
                    throw error.placed(in: settings)
                }
                let report = SettingsReport(settings, configuration)
                try StandardOutput.write(self.json ? try JSONLine.encode(report) : report.text)
            }
        } catch let code as ExitCode {
            throw code
        } catch {
            StandardError.write("onesheet: \(error)")
            throw ExitCode.failure
        }
    }
}

extension ConfigurationSource {
    /// Reads the configuration of a command; writes one line to standard error when it is invalid, without the usage: most
    /// settings come from elsewhere.
    ///
    /// - Throws: `ExitCode`.
    func validated() throws -> (settings: Settings, configuration: ServeConfiguration) {
        do {
            return try self.read()
        } catch let error as SettingError {
            throw Self.refused(error.description)
        } catch let error as SettingsFile.Failure {
            throw Self.refused(error.description)
        }
    }

    private static func refused(_ reason: String) -> ExitCode {
        StandardError.write("onesheet: \(reason)")
        return .validationFailure
    }
}

extension ServeConfiguration {
    /// - Throws: `ExitCode`, after a line that names the option.
    static func read(_ given: [String: [String]]) throws -> ServeConfiguration {
        try ConfigurationSource(commandLine: given).validated().configuration
    }
}
