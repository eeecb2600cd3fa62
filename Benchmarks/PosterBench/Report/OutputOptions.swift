import ArgumentParser
import FoundationEssentials
import Glibc

/// Options for additional output of the figures, shared by all measuring commands.
struct OutputOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Also write the figures to this file as JSON.", valueName: "file"))
    var json: String?

    @Option(help: ArgumentHelp("Also draw charts as SVG files in this folder.", valueName: "folder"))
    var plot: String?

    /// Prints the machine and checks the output paths. Call it before the measurement.
    func begin() throws {
        print(Machine.current.text)
        // Fails here rather than after minutes of measuring.
        if let json = self.json {
            // Does not truncate: an existing file remains until it is replaced.
            let descriptor = open(json, O_WRONLY | O_CREAT | O_CLOEXEC, 0o644)
            guard descriptor >= 0 else { throw BenchError("cannot write \(json): \(String(cString: strerror(errno)))") }
            close(descriptor)
        }
        guard let plot = self.plot else { return }
        do {
            try FileManager.default.createDirectory(atPath: plot, withIntermediateDirectories: true)
        } catch {
            throw BenchError("cannot make the folder \(plot): \(error)")
        }
    }

    func finish(_ outcome: Outcome) throws {
        print("\n\(outcome.text)")
        if let json = self.json {
            let command = Array(CommandLine.arguments.dropFirst())
            try Run(machine: .current, command: command, figures: outcome.figures).write(to: json)
        }
        guard let plot = self.plot else { return }
        for chart in outcome.charts {
            let path = "\(plot)/\(chart.name).svg"
            do {
                try Data(chart.svg.utf8).write(to: URL(filePath: path))
            } catch {
                throw BenchError("cannot write \(path): \(error)")
            }
        }
    }
}
