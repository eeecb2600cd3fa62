package import Logging
import Synchronization

/// Reads the configuration again and applies the reloadable parts to the running server.
///
/// All or nothing: everything is checked before the first part is applied. Work in progress keeps its configuration.
package final class Reload: Sendable {
    /// Reads the files of a new configuration without changing anything. Returns a closure that applies it, or `nil` if
    /// this part cannot change while the server runs.
    package typealias Preparation = @Sendable (ServeConfiguration) throws -> (@Sendable () -> Void)?

    private let source: ConfigurationSource
    private let logger: Logger
    private let parts: [(part: ReloadablePart, prepare: Preparation)]
    private let initial: Settings
    /// The values in force, by option name; `nil` before the first reload, so that a start need not read all values
    /// again.
    private let inForce = Mutex<[String: [String]]?>(nil)

    package init(
        _ settings: Settings, source: ConfigurationSource, logger: Logger,
        preparation: (ReloadablePart) -> Preparation
    ) {
        self.source = source
        self.logger = logger
        self.parts = ReloadablePart.allCases.map { ($0, preparation($0)) }
        self.initial = settings
    }

    /// The changed options, by whether they took effect.
    struct Outcome: Equatable {
        var applied: [String] = []
        /// Changes that take effect at the next start.
        var postponed: [String] = []
    }

    /// Logs the outcome with the names of options, never their values. Must not be called concurrently.
    package func run() {
        do {
            let outcome = try self.apply()
            self.logger.notice(
                "Configuration reloaded",
                metadata: [
                    "options.changed": "\(outcome.applied.isEmpty ? "none" : outcome.applied.joined(separator: ", "))"
                ])
            if !outcome.postponed.isEmpty {
                self.logger.warning(
                    "Some changed options need a restart",
                    metadata: ["options.changed": "\(outcome.postponed.joined(separator: ", "))"])
            }
        } catch {
            self.logger.error(
                "Cannot reload the configuration; nothing has changed",
                metadata: ["error.message": "\(error)"])
        }
    }

    /// - Throws: The error in the new configuration, before anything has changed.
    func apply() throws -> Outcome {
        let (settings, configuration) = try self.source.read()
        var steps: [@Sendable () -> Void] = []
        var taken: Set<String> = []
        for (part, prepare) in self.parts {
            guard let step = try prepare(configuration) else { continue }
            steps.append(step)
            taken.formUnion(part.options)
        }
        for step in steps { step() }
        let values = Self.values(settings)
        return self.inForce.withLock { inForce in
            var current = inForce ?? Self.values(self.initial)
            var outcome = Outcome()
            for name in values.keys.sorted() where values[name] != current[name] {
                if taken.contains(name) {
                    current[name] = values[name]
                    outcome.applied.append(name)
                } else {
                    outcome.postponed.append(name)
                }
            }
            inForce = current
            return outcome
        }
    }

    private static func values(_ settings: Settings) -> [String: [String]] {
        let values = SettingDescription.all.map { ($0.name, settings.values(of: $0)) }
        return Dictionary(uniqueKeysWithValues: values)
    }
}

/// The layers of a configuration, which can be read repeatedly.
package struct ConfigurationSource: Sendable {
    /// By option name without dashes.
    let commandLine: [String: [String]]
    /// `nil` uses the process's environment.
    var environment: [String: String]?

    package init(commandLine: [String: [String]], environment: [String: String]? = nil) {
        self.commandLine = commandLine
        self.environment = environment
    }

    /// - Throws: ``SettingsFile/Failure``, and ``SettingError`` with the origin of the value.
    package func read() throws -> (settings: Settings, configuration: ServeConfiguration) {
        let settings = try Settings.layered(self.commandLine, environment: self.environment)
        do {
            return (settings, try ServeConfiguration(settings))
        } catch let error as SettingError {
            throw error.placed(in: settings)
        }
    }
}
