import FoundationEssentials

extension Run {
    /// - Throws: ``BenchError`` when the file cannot be read or is no run.
    init(file path: String) throws(BenchError) {
        guard let data = try? Data(contentsOf: URL(filePath: path)) else { throw BenchError("cannot read \(path)") }
        guard let run = try? JSONDecoder().decode(Run.self, from: data) else {
            throw BenchError("\(path) is no file that poster-bench --json wrote")
        }
        guard run.schema == Self.currentSchema else {
            throw BenchError(
                "\(path) has layout \(run.schema), this program reads \(Self.currentSchema): measure again")
        }
        self = run
    }

    func write(to path: String) throws(BenchError) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        do {
            var data = try encoder.encode(self)
            data.append(UInt8(ascii: "\n"))
            try data.write(to: URL(filePath: path))
        } catch {
            throw BenchError("cannot write \(path): \(error)")
        }
    }
}
