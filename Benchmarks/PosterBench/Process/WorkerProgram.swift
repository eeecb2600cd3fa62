import CodecWorkers

enum WorkerProgram {
    /// - Parameter program: Path of the program; by default `onesheet` in this program's folder.
    static func pool(count: Int, _ program: String? = nil) throws(BenchError) -> CodecWorkerPool {
        var configuration = CodecWorkerPool.Configuration(count: count)
        let own = CommandLine.arguments[0]
        configuration.program = program ?? own.lastIndex(of: "/").map { own[...$0] + "onesheet" } ?? "onesheet"
        do throws(IsolationFailure) {
            return try CodecWorkerPool(configuration)
        } catch {
            throw BenchError("no workers: \(error)")
        }
    }
}
