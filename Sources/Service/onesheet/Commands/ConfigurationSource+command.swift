import ArgumentParser
import OneSheetConfiguration

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
