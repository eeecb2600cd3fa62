/// An option with an invalid value.
package struct SettingError: Error, CustomStringConvertible {
    let option: String
    /// The value on one line with secrets masked.
    let value: String
    let allowed: String
    /// The layer of the value; `nil` before ``placed(in:)``.
    var layer: SettingLayer?
    /// The position in the settings file; `nil` for values of other layers.
    var position: SettingsFile.Position?

    package init(option: String, value: String, allowed: String, layer: SettingLayer? = nil) {
        self.option = option
        self.value = TerminalText.escaped(SecretMask.masked(value, option: option))
        self.allowed = allowed
        self.layer = layer
    }

    package func placed(in settings: Settings) -> SettingError {
        var error = self
        error.layer = settings.layer(of: self.option)
        if case .file = error.layer { error.position = settings.file?.positions[self.option] }
        return error
    }

    package var description: String {
        "--\(self.option) (\(Settings.variable(self.option))) is '\(self.value)'; allowed: \(self.allowed)"
            + (self.origin.map { "; \($0)" } ?? "")
    }

    private var origin: String? {
        switch self.layer {
        case .commandLine: "set on the command line"
        case .environment: "set in the environment"
        case .file(let path): "set in \(path)" + (self.position.map { ":\($0)" } ?? "")
        case .default, nil: nil
        }
    }
}

/// The source of an option's value, by descending precedence.
package enum SettingLayer: Hashable {
    /// The option with its dashes.
    case commandLine(option: String)
    case environment(variable: String)
    case file(path: String)
    /// The option is not set.
    case `default`

    /// Text for people, shown after the value.
    var description: String {
        switch self {
        case .commandLine(let option): option
        case .environment(let variable): variable
        case .file(let path): path
        case .default: "default"
        }
    }

    /// Machine-readable name.
    var kind: String {
        switch self {
        case .commandLine: "flag"
        case .environment: "environment"
        case .file: "file"
        case .default: "default"
        }
    }
}
