/// An option whose value cannot be used.
package struct SettingError: Error, CustomStringConvertible {
    let option: String
    /// As it can be shown: on one line, and never a secret.
    let value: String
    let allowed: String
    /// nil as long as it is not known.
    var layer: SettingLayer?
    /// In the settings file, where the value comes from it.
    var position: SettingsFile.Position?

    package init(option: String, value: String, allowed: String, layer: SettingLayer? = nil) {
        self.option = option
        self.value = TerminalText.escaped(SecretMask.masked(value, option: option))
        self.allowed = allowed
        self.layer = layer
    }

    /// With where the value came from.
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
        case .commandLine: "it comes from the command line"
        case .environment: "it comes from the environment"
        case .file(let path): "it comes from \(path)" + (self.position.map { ":\($0)" } ?? "")
        case .default, nil: nil
        }
    }
}

/// Where the value of an option came from; the first of these that has one wins.
package enum SettingLayer: Hashable {
    /// The option itself, with its dashes.
    case commandLine(option: String)
    case environment(variable: String)
    case file(path: String)
    /// Nobody set it.
    case `default`

    /// For people, after the value.
    var description: String {
        switch self {
        case .commandLine(let option): option
        case .environment(let variable): variable
        case .file(let path): path
        case .default: "default"
        }
    }

    /// For machines.
    var kind: String {
        switch self {
        case .commandLine: "flag"
        case .environment: "environment"
        case .file: "file"
        case .default: "default"
        }
    }
}
