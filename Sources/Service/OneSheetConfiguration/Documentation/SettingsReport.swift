import FoundationEssentials

/// The options in force and their layers as text or JSON, with secrets masked.
package struct SettingsReport: Encodable {
    struct Option: Encodable, Equatable {
        /// The value; `nil` if there is none, and for repeatable options.
        var value: String?
        /// The values of a repeatable option; `nil` for others.
        var values: [String]?
        /// "flag", "environment", "file" or "default".
        let source: String
        /// The option, variable or file that sets it; `nil` for defaults.
        let from: String?
        let reloadable: Bool
    }

    let file: String?
    let options: [String: Option]
    let memory: MemoryBudgets

    private let lines: [(name: String, value: String, origin: String)]

    private enum CodingKeys: CodingKey {
        case file
        case options
        case memory
    }

    package init(_ settings: Settings, _ configuration: ServeConfiguration) {
        var options: [String: Option] = [:]
        var lines: [(name: String, value: String, origin: String)] = []
        for description in SettingDescription.all {
            let layer = settings.layer(of: description.name)
            var values = settings.values(of: description).map { SecretMask.masked($0, option: description.name) }
            if values.isEmpty, let text = configuration.computed(description.name) ?? description.defaultText {
                values = [text]
            }
            options[description.name] = Option(
                value: description.isRepeatable ? nil : values.first,
                values: description.isRepeatable ? values : nil, source: layer.kind,
                from: layer == .default ? nil : layer.description, reloadable: description.isReloadable)
            for value in values.isEmpty ? ["-"] : values {
                lines.append(
                    (description.name, TerminalText.escaped(value), TerminalText.escaped(layer.description)))
            }
        }
        self.file = settings.file?.path
        self.options = options
        self.memory = MemoryBudgets(configuration)
        self.lines = lines
    }

    /// One line per value (name, value, layer), then the memory budgets.
    package var text: String {
        let nameWidth = self.lines.map(\.name.count).max() ?? 0
        // Long values do not widen the column.
        let valueWidth = min(40, self.lines.map(\.value.count).max() ?? 0)
        return self.lines.map { line in
            Self.padded(line.name, nameWidth) + "  " + Self.padded(line.value, valueWidth) + "  " + line.origin
        }.joined(separator: "\n") + "\n\n" + self.memory.text
    }

    private static func padded(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.count))
    }
}

extension ServeConfiguration {
    /// The default of an option that depends on the machine.
    fileprivate func computed(_ option: String) -> String? {
        switch option {
        case "data-dir": self.dataDirectory
        case "planes-budget": "\(self.planesBudget)"
        case "codec-threads": "\(self.codecThreads)"
        case "render-memory-budget": "\(self.renderMemoryBudget)"
        default: nil
        }
    }
}
