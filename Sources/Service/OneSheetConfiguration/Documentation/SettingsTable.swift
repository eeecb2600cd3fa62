/// The table of options in docs/configuration.md.
package enum SettingsTable {
    static let begin = "<!-- configuration -->"
    static let end = "<!-- /configuration -->"

    package static func markdown(_ options: [SettingDescription]) -> String {
        var lines = ["| option of `serve` | default | |", "|---|---|---|"]
        for option in options {
            var meaning = self.escaped(option.meaning)
            if option.isReloadable { meaning += " †" }
            lines.append("| `--\(option.name)` | \(self.cell(of: option.defaultText)) | \(meaning) |")
        }
        return lines.joined(separator: "\n")
    }

    /// Formats a value as code, and words as they are.
    private static func cell(of text: String?) -> String {
        guard let text else { return "–" }
        return text.contains(" ") ? self.escaped(text) : "`\(text)`"
    }

    private static func escaped(_ text: String) -> String {
        var result = ""
        for character in text {
            if "|\\*_<>`[]".contains(character) { result.append("\\") }
            result.append(character)
        }
        return result
    }
}
