import ArgumentParser
import OneSheetConfiguration

/// The command that the first words of a command line name.
struct NamedCommand {
    let type: any ParsableCommand.Type
    /// The names below `onesheet`.
    private let names: [String]
    /// The next word, if it should name a command and names none.
    let unknown: String?

    /// - Parameter arguments: Without the program's name. `help` before a command is skipped.
    init(_ arguments: [String]) {
        var type: any ParsableCommand.Type = OneSheet.self
        var names: [String] = []
        var unknown: String?
        var rest = arguments[...]
        while rest.first == Self.help { rest.removeFirst() }
        while let word = rest.popFirst(), !word.hasPrefix("-"), !type.configuration.subcommands.isEmpty {
            guard let next = type.configuration.subcommands.first(where: { Self.name(of: $0) == word }) else {
                unknown = word
                break
            }
            type = next
            names.append(word)
        }
        (self.type, self.names, self.unknown) = (type, names, unknown)
    }

    /// - Throws: `ValidationError` if the command line names a command that does not exist.
    func check() throws {
        guard let unknown else { return }
        let prefix = self.names.map { $0 + " " }.joined()
        let known = self.type.configuration.subcommands.map(Self.name) + (self.names.isEmpty ? [Self.help] : [])
        let hint = SpellingDistance.nearest(to: unknown, among: known).map { "; did you mean '\(prefix)\($0)'?" } ?? ""
        throw ValidationError("there is no command '\(prefix)\(unknown)'\(hint)")
    }

    /// The usage on one line, without a title.
    var usage: String {
        (self.type as? any AbridgedHelp.Type)?.abridgedUsage ?? OneSheet.usageString(for: self.type)
    }

    private static let help = "help"

    private static func name(of command: any ParsableCommand.Type) -> String { command._commandName }
}
