/// Measures the memory of one poster for each file.
struct MemoryOfFiles {
    /// The folder that names in tables and figures are relative to.
    let folder: String
    let files: [String]
    let width: Int
    let hasColdCode: Bool

    func outcome() throws -> Outcome {
        var outcome = Outcome()
        var rows = [["original", "whole", "downsampled", "heap", "allocations", "whole / downsampled"]]
        var progress = Progress(count: self.files.count)
        for file in self.files {
            let name = String(file.dropFirst(self.folder.count + 1))
            progress.step(name)
            do {
                let baseline = try PosterMemory.Baseline(file: file, hasColdCode: self.hasColdCode)
                let whole = try PosterMemory(of: .whole, file: file, width: self.width, above: baseline)
                let ours = try PosterMemory(of: .jpeg, file: file, width: self.width, above: baseline)
                rows.append([
                    name, whole.growth.mebibytes.fixed(2), ours.growth.mebibytes.fixed(2),
                    ours.heapPeak.mebibytes.fixed(2), "\(ours.allocations)",
                    (Double(whole.growth) / Double(max(1, ours.growth))).fixed(1),
                ])
                outcome.figures.append(Figure("memory \(name) downsampled peak", Double(ours.growth), "bytes"))
                outcome.figures.append(Figure("memory \(name) whole peak", Double(whole.growth), "bytes"))
            } catch {
                outcome.notes.append("\(name): \(error)")
            }
        }
        progress.finish()
        guard !outcome.figures.isEmpty else {
            throw BenchError("none of the files can be measured:\n" + outcome.notes.joined(separator: "\n"))
        }
        outcome.tables = [
            .init(
                title: "Memory of one poster, \(self.width) pixels wide, above a process that holds the original (MiB)",
                rows: rows)
        ]
        return outcome
    }
}
