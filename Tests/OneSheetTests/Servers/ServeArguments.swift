import Testing

@testable import OneSheetConfiguration

/// Parses arguments of `serve` without ArgumentParser, which takes a third of a second in a debug build.
enum ServeArguments {
    /// The options by name without dashes, as in `ParsableArguments.given`.
    static func given(_ arguments: [String]) throws -> [String: [String]] {
        var given: [String: [String]] = [:]
        var rest = arguments[...]
        while let word = rest.popFirst() {
            let parts = word.dropFirst(2).split(separator: "=", maxSplits: 1).map(String.init)
            let name = try #require(parts.first)
            if parts.count == 1, name.hasPrefix("no-"), let flag = self.options[String(name.dropFirst(3))], flag.isFlag
            {
                given[flag.name] = ["false"]
                continue
            }
            let option = try #require(self.options[name], "serve has no option --\(name)")
            let value: String? = option.isFlag ? "true" : parts.count > 1 ? parts[1] : rest.popFirst()
            given[name] = (option.isRepeatable ? given[name] ?? [] : []) + [try #require(value, "--\(name)")]
        }
        return given
    }

    /// The reason for which `serve` and `config` refuse options, which they print after their own name; `nil` if they
    /// accept them.
    ///
    /// Checks everything that `config` checks, including the files.
    static func refusal(_ arguments: [String], environment: [String: String] = [:]) throws -> String? {
        let source = ConfigurationSource(commandLine: try self.given(arguments), environment: environment)
        do {
            let (settings, configuration) = try source.read()
            do {
                try configuration.checkFiles()
            } catch let error as SettingError {
                throw error.placed(in: settings)
            }
            return nil
        } catch {
            return "\(error)"
        }
    }

    private static let options = Dictionary(uniqueKeysWithValues: SettingDescription.all.map { ($0.name, $0) })
}
