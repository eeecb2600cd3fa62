import ArgumentParser

/// Where a command's configuration is read from, as often as need be.
struct ConfigurationSource: Sendable {
    /// By option name.
    let commandLine: [String: [String]]
    /// nil for the process's own.
    var environment: [String: String]?

    /// - Throws: ``SettingsFile/Failure``, and ``SettingError`` that says where the value came from.
    func read() throws -> (settings: Settings, configuration: ServeConfiguration) {
        let settings = try Settings.layered(self.commandLine, environment: self.environment)
        do {
            return (settings, try ServeConfiguration(settings))
        } catch let error as SettingError {
            throw error.placed(in: settings)
        }
    }

    /// For commands: says on standard error what is wrong, in one line.
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

    /// Without how commands are used: most settings come from elsewhere.
    private static func refused(_ reason: String) -> ExitCode {
        StandardError.write("onesheet: \(reason)")
        return .validationFailure
    }
}
