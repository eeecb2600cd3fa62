package import ArgumentParser
import FoundationEssentials

/// The help of a command: ArgumentParser's `_dumpHelp()`, decoded.
package struct CommandHelp: Decodable {
    let commandName: String
    let abstract: String?
    let discussion: String?
    let subcommands: [CommandHelp]?
    let arguments: [Argument]?

    struct Argument: Decodable {
        enum Kind: String, Decodable {
            case positional
            case option
            case flag
        }

        struct Name: Decodable {
            let kind: String
            let name: String

            /// With its dashes.
            var word: String { (self.kind == "long" ? "--" : "-") + self.name }
        }

        let kind: Kind
        let shouldDisplay: Bool
        let sectionTitle: String?
        let isRepeating: Bool
        let names: [Name]?
        let preferredName: Name?
        let valueName: String?
        let abstract: String?

        /// The name without dashes; empty without a name.
        var name: String { self.preferredName?.name ?? "" }
    }

    /// The arguments in the help, without those common to all commands; a flag and its negation are one argument.
    var shownArguments: [Argument] {
        (self.arguments ?? []).filter { argument in
            argument.shouldDisplay && !["help", "version"].contains(argument.name)
                && !(argument.name.hasPrefix("no-") && self.isNegatable(String(argument.name.dropFirst(3))))
        }
    }

    /// The long names of all options, with their dashes.
    package var optionNames: [String] {
        let own = (self.arguments ?? []).filter { $0.kind != .positional }.map { "--\($0.name)" }
        return own + ["--help", "--help-hidden", "--version", "--generate-completion-script"]
    }

    /// The long names, with their dashes, of the options that take a value, by each of their names.
    package var valueOptions: [String: String] {
        var options: [String: String] = [:]
        for argument in self.arguments ?? [] where argument.kind == .option {
            for name in argument.names ?? [] { options[name.word] = "--" + argument.name }
        }
        return options
    }

    /// Whether a flag has a `no-` form.
    func isNegatable(_ name: String) -> Bool {
        let flags = (self.arguments ?? []).filter { $0.kind == .flag }.map(\.name)
        return flags.contains(name) && flags.contains("no-" + name)
    }

    package init(_ command: any ParsableArguments.Type) throws {
        self = try JSONDecoder().decode(Tool.self, from: Data(command._dumpHelp().utf8)).command
    }

    private struct Tool: Decodable {
        let command: CommandHelp
    }
}
