/// The sections that do not follow from the commands.
extension ManualPage {
    /// Command lines with their effects; a test parses them.
    package static let examples: [(String, String)] = [
        ("onesheet serve", "Serve the embedded catalogue at http://127.0.0.1:8080/."),
        (
            "onesheet serve --origin 'films=https://images.example.org/{key}.jpg'",
            "Serve posters of your own: /poster/films:heat-1995 is made from https://images.example.org/heat-1995.jpg."
        ),
        ("onesheet serve --tmdb-key KEY --port 9000", "Serve TMDB's films at another port."),
        (
            "onesheet config --config /etc/onesheet/onesheet.yaml",
            "Check a settings file, and show the settings in force with their sources."
        ),
        ("onesheet search nosferatu --year 1922", "Find a film and its id."),
        (
            "onesheet render in.jpg 'out-{width}.{format}' --width 92,154 --format jpeg,webp",
            "Render a file at two widths in two formats."
        ),
        ("onesheet warm films:heat-1995 --width 368", "Render a poster in the running server before it is requested."),
        ("onesheet purge films:heat-1995", "Remove a poster, so that the next request fetches it again."),
    ]

    static var commonOptions: [String] {
        self.list([
            ("--help", "Show the help of the program or of a command, like 'onesheet help' COMMAND."),
            ("--version", "Show the version of the program and of its codec."),
            (
                "--generate-completion-script SHELL",
                "Print the completions of bash, zsh or fish; they are installed with the program."
            ),
        ])
    }

    static var closing: [String] {
        let reloadable = SettingDescription.all.filter(\.isReloadable).map { "--" + $0.name }.joined(separator: ", ")
        return [".SH EXAMPLES"] + self.list(self.examples)
            + [
                ".SH ENVIRONMENT",
                self.text(
                    "Every option has an environment variable: \(Settings.variable("data-dir")) is --data-dir. Values "
                        + "of repeatable options are separated by commas. An empty variable is ignored."),
            ]
            + self.list([
                ("LC_ALL, LC_MESSAGES, LANG", "Language of search, boxoffice and movie without --language."),
                ("http_proxy, https_proxy, no_proxy", "Proxies of fetches, with --fetch-proxy-from-environment."),
                ("TERM, NO_COLOR", "'serve' prints its address as plain text if TERM is dumb or NO_COLOR is set."),
            ])
            + [
                ".SH FILES",
                self.text(
                    "The file of --config or \(Settings.variable(SettingsFile.option)) is JSON or YAML, by its "
                        + "extension: one object with option names without dashes as keys, and lists for repeatable "
                        + "options. Unknown keys are errors."),
            ]
            + self.list([
                (
                    "$XDG_DATA_HOME/onesheet, else ~/.local/share/onesheet",
                    "The data directory without --data-dir: originals, variants, library.sqlite with user data, and "
                        + "secret.key. /var/lib/onesheet for the service."
                ),
                ("/etc/onesheet/onesheet.yaml, /etc/default/onesheet", "Settings of the Debian package's service."),
            ])
            + [".SH SIGNALS"]
            + self.list([
                ("SIGTERM, SIGINT", "Stop gracefully; a second signal stops at once."),
                (
                    "SIGHUP",
                    "Reload the configuration and apply \(reloadable); the file of --admin-token-file is read again. "
                        + "An invalid configuration changes nothing."
                ),
            ])
            + [
                ".SH EXIT STATUS",
                "0 on success, 64 if the command line or a setting is invalid, 141 if the reader of the output has "
                    + "ended, else 1.",
                ".SH SEE ALSO", "\\fBcurl\\fR(1), \\fBnginx\\fR(8), \\fBhaproxy\\fR(1), \\fBsystemd.service\\fR(5)",
                ".PP",
                self.text(
                    "A running server describes its resources at /openapi.json. docs/ of the sources has using.md, "
                        + "configuration.md, operating.md and commands.md."),
            ]
    }

    /// A list of terms with their explanations.
    private static func list(_ items: [(String, String)]) -> [String] {
        items.flatMap { term, text in [".TP", "\\fB\(self.text(term))\\fR", self.text(text)] }
    }
}
