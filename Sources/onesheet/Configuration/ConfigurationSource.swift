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
        } catch var error as SettingError {
            error.layer = settings.layer(of: error.option)
            throw error
        }
    }

    /// For commands.
    ///
    /// - Throws: `ValidationError` that says what is wrong.
    func validated() throws -> (settings: Settings, configuration: ServeConfiguration) {
        do {
            return try self.read()
        } catch let error as SettingError {
            throw ValidationError(error.description)
        } catch let error as SettingsFile.Failure {
            throw ValidationError(error.description)
        }
    }
}
