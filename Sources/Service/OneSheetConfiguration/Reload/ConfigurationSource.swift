/// Where a command's configuration is read from, as often as need be.
package struct ConfigurationSource: Sendable {
    /// By option name.
    let commandLine: [String: [String]]
    /// nil for the process's own.
    var environment: [String: String]?

    /// - Parameters:
    ///   - commandLine: By option name without dashes.
    ///   - environment: nil for the process's own.
    package init(commandLine: [String: [String]], environment: [String: String]? = nil) {
        self.commandLine = commandLine
        self.environment = environment
    }

    /// - Throws: ``SettingsFile/Failure``, and ``SettingError`` that says where the value came from.
    package func read() throws -> (settings: Settings, configuration: ServeConfiguration) {
        let settings = try Settings.layered(self.commandLine, environment: self.environment)
        do {
            return (settings, try ServeConfiguration(settings))
        } catch let error as SettingError {
            throw error.placed(in: settings)
        }
    }
}
