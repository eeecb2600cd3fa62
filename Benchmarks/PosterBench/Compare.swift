import ArgumentParser

/// `poster-bench compare A.json B.json`
struct Compare: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Ratios between two runs; exit status 1 when a gated figure is worse than its noise band allows.")

    @Argument(help: ArgumentHelp("The earlier run, written with --json.", valueName: "a.json"))
    var old: String

    @Argument(help: ArgumentHelp("The later run.", valueName: "b.json"))
    var new: String

    @Flag(help: "Show only regressions.")
    var short = false

    func run() throws {
        let (old, new) = (try Run(file: self.old), try Run(file: self.new))
        print("before: \(old.machine.text)")
        print("now:    \(new.machine.text)")
        let comparison = Comparison(old: old, new: new)
        print(comparison.text(isShort: self.short))
        if !comparison.isGood { throw ExitCode.failure }
    }
}
