import ArgumentParser
import OneSheetConfiguration
import OneSheetServer

/// `onesheet keys`
struct KeysCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "keys", abstract: "Lists and adds keys of /compat's clients.",
        subcommands: [KeysList.self, KeysAdd.self])
}

struct KeysFileOption: ParsableArguments {
    @Option(help: "File with the keys. Default: ONESHEET_COMPAT_KEYS_FILE", completion: .file())
    var file: String?

    /// - Throws: `ExitCode`, after a line on standard error.
    func use<Value>(_ body: (ClientKeysFile) throws -> Value) throws -> Value {
        let settings = Settings(self.file.map { ["compat-keys-file": [$0]] } ?? [:])
        guard let path = settings.text("compat-keys-file") else {
            throw ValidationError("there is no file of keys; give --file or set ONESHEET_COMPAT_KEYS_FILE")
        }
        do {
            return try body(ClientKeysFile(path))
        } catch {
            throw StandardError.failure("\(TerminalText.escaped(path)): \(error)")
        }
    }
}

/// `onesheet keys list`
struct KeysList: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "Lists the keys of /compat's clients, masked, with their settings.",
        discussion: "Fails if 'serve' would reject the file.")

    @OptionGroup
    var target: KeysFileOption

    @Flag(help: .jsonResult)
    var json = false

    func run() throws {
        let entries = try self.target.use { try $0.entries() }
        guard !self.json else { return try StandardOutput.write(try JSONLine.encode(entries)) }
        guard !entries.isEmpty else { return try StandardOutput.write("The file has no keys.") }
        for entry in entries {
            let settings = entry.settings.sorted { $0.key < $1.key }.map { " \($0.key)=\($0.value)" }
            try StandardOutput.write(TerminalText.escaped("\(entry.api) \(entry.key)" + settings.joined()))
        }
    }
}

/// `onesheet keys add badges=imdb,rt`
struct KeysAdd: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Adds a random key for RPDB's paths to the file, and prints it.",
        discussion: """
            Creates a missing file that only its owner can read. 'serve' reads the file at its start. Settings are \
            badges, badge-position, badge-style and badge-colours, with the values of /poster.
            """)

    @Argument(help: "Settings of the key's badges, such as badges=imdb,rt badge-position=top.")
    var settings: [String] = []

    @OptionGroup
    var target: KeysFileOption

    func run() throws {
        try StandardOutput.write(try self.target.use { try $0.add(self.settings) })
    }
}
