import Glibc

/// Counts the instructions of a poster with valgrind: a figure that neighbours cannot disturb.
///
/// valgrind's CPU supports AVX2 if the machine's does, so the same kernels run.
struct Instructions {
    let width: Int
    /// Size of the originals: instrumented code is fifty times slower.
    private static let size = OriginalSize.medium

    func outcome() throws -> Outcome {
        var outcome = Outcome()
        guard let valgrind = Executable.path(of: "valgrind") else {
            outcome.notes = ["valgrind is not installed, so instructions were not counted (apt-get install valgrind)."]
            return outcome
        }
        // Stripped, because valgrind fails to read some of the debug information.
        let folder = try WorkFolder()
        let program = "\(folder.path)/poster-bench"
        guard Command.output(["strip", "--strip-debug", "-o", program, "/proc/\(getpid())/exe"]) != nil else {
            outcome.notes = ["strip is missing, so instructions were not counted (apt-get install binutils)."]
            return outcome
        }
        let originals = MadeOriginals()
        let kinds: [OriginalKind] = [.baselineJPEG, .progressiveJPEG, .png, .lossyWebP]
        var rows = [["original", "to JPEG", "to WebP", "to all of a ladder"]]
        var progress = Progress(count: kinds.count)
        for kind in kinds {
            let name = "\(kind.rawValue) \(Self.size.name)"
            progress.step("instructions, \(name)")
            let file = try originals.file(kind, Self.size)
            let nothing = try self.count([valgrind, program], file, way: nil)
            var row = [name]
            for way in [Way.jpeg, .webp, .ladder] {
                let instructions = try self.count([valgrind, program], file, way: way) - nothing
                row.append("\((Double(instructions) / 1e6).fixed(1)) million")
                outcome.figures.append(
                    Figure(
                        "instructions \(name) \(way.rawValue)", Double(instructions), "instructions",
                        gate: Gate(.lower, band: 0.03, isPerMachine: true)))
            }
            rows.append(row)
        }
        progress.finish()
        withExtendedLifetime(folder) {}
        outcome.tables = [.init(title: "Instructions of one poster, \(self.width) pixels wide", rows: rows)]
        return outcome
    }

    /// - Parameter programs: The paths of valgrind and of this program.
    private func count(_ programs: [String], _ file: String, way: Way?) throws(BenchError) -> Int {
        let option = way.map { ["--way", $0.rawValue] } ?? []
        let words =
            [programs[0], "--tool=callgrind", "--callgrind-out-file=/dev/null", "--log-fd=1", programs[1]]
            + ["one-poster", "--width", "\(self.width)"] + option + ["--", file]
        guard let text = Command.output(words) else {
            throw BenchError("valgrind failed: \(words.joined(separator: " "))")
        }
        for line in text.split(separator: "\n") {
            let parts = line.split(separator: " ")
            if let at = parts.firstIndex(of: "Collected"), at + 2 < parts.count, let count = Int(parts[at + 2]) {
                return count
            }
        }
        throw BenchError("valgrind printed no instruction count")
    }
}
