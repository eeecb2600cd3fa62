import ArgumentParser
import OneSheetConfiguration

/// The help of commands that decode files: without the limits of originals, which 'serve' has too.
enum FileCommandHelp {
    /// The title of ``LimitOptions``.
    static let limits = "Limits"

    static func text(of command: any ParsableCommand.Type, columns: Int?) -> String {
        let sections = OneSheet.helpMessage(for: command, columns: columns).split(separator: "\n\n")
        let own = sections.filter { !$0.hasPrefix(self.limits.uppercased() + ":") }.joined(separator: "\n\n")
        let note = """
            Also takes the limits of originals of 'serve', such as --max-pixels: see
            'onesheet help serve' or --help-hidden.
            """
        return own + "\n" + note
    }
}

extension Render: AbridgedHelp {
    static func abridgedHelp(columns: Int?) -> String? { FileCommandHelp.text(of: Self.self, columns: columns) }
}

extension Probe: AbridgedHelp {
    static func abridgedHelp(columns: Int?) -> String? { FileCommandHelp.text(of: Self.self, columns: columns) }
}
