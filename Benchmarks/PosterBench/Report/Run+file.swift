import FoundationEssentials

extension Run {
    /// - Throws: ``BenchError`` if the file cannot be read or does not contain a run.
    init(file path: String) throws(BenchError) {
        guard let data = try? Data(contentsOf: URL(filePath: path)) else { throw BenchError("cannot read \(path)") }
        let noRun = BenchError("\(path) is not a file written by poster-bench --json")
        guard let layout = try? JSONDecoder().decode(Layout.self, from: data) else { throw noRun }
        guard layout.schema == Self.currentSchema else {
            throw BenchError(
                "\(path) has layout \(layout.schema), this program reads \(Self.currentSchema): measure again")
        }
        guard let run = try? JSONDecoder().decode(Run.self, from: data) else { throw noRun }
        let names = Set(run.figures.map { $0.name })
        guard names.count == run.figures.count else { throw BenchError("\(path) has two figures of one name") }
        self = run
    }

    /// The part common to all layouts.
    private struct Layout: Decodable {
        let schema: Int
    }

    func write(to path: String) throws(BenchError) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        do {
            var data = try encoder.encode(self)
            data.append(UInt8(ascii: "\n"))
            try data.write(to: URL(filePath: path), options: .atomic)
        } catch {
            throw BenchError("cannot write \(path): \(error)")
        }
    }
}
