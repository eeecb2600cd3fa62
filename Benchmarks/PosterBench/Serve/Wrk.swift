import FoundationEssentials
import Glibc

/// The load generator: keep-alive connections that send the next request as soon as a response is complete.
struct Wrk {
    private let program: String
    private let folder: String

    /// - Throws: ``BenchError`` with installation instructions if wrk is missing.
    init(folder: String) throws(BenchError) {
        guard let program = Executable.path(of: "wrk") else {
            throw BenchError("the load generator wrk is missing: apt-get install wrk")
        }
        (self.program, self.folder) = (program, folder)
    }

    /// - Returns: The load, and the number of requests begun.
    func run(
        _ script: WrkScript, on server: Server, connections: Int, seconds: Int
    ) throws(BenchError) -> (load: Load, count: Int) {
        let file = "\(self.folder)/wrk.lua"
        do {
            try Data(script.lua.utf8).write(to: URL(filePath: file))
        } catch {
            throw BenchError("cannot write \(file): \(error)")
        }
        ProcessUsage.forgetPeak(of: server.process.id)
        let before = try ProcessUsage(of: server.process.id)
        // All threads need the same number of connections, or wrk would open fewer.
        let most = min(connections, sysconf(Int32(_SC_NPROCESSORS_ONLN)), 16)
        let threads = (1...most).last { connections % $0 == 0 } ?? 1
        let words = [
            self.program, "-t", "\(threads)", "-c", "\(connections)", "-d", "\(seconds)s", "--timeout", "10s",
            "-s", file, "http://127.0.0.1:\(server.port)/",
        ]
        let process = try RunningProcess(words, log: "\(self.folder)/wrk.log")
        defer { process.stop() }
        try process.wait()
        let after = try ProcessUsage(of: server.process.id)
        guard let line = process.text.split(separator: "\n").last(where: { $0.hasPrefix(WrkScript.mark) }) else {
            throw BenchError("wrk printed no result:\n\(process.text)")
        }
        let values = line.split(separator: " ").dropFirst().compactMap { Double($0) }
        guard values.count == 7, values[0] > 0 else { throw BenchError("no request was answered:\n\(process.text)") }
        let load = Load(
            requestsPerSecond: values[0] / values[1] * 1e6, p50: values[2] / 1e3, p99: values[3] / 1e3,
            p999: values[4] / 1e3, cpuPerThousand: (after.cpuSeconds - before.cpuSeconds) / values[0] * 1e3,
            resident: Double(after.resident), peak: Double(after.peak), errors: Int(values[5]))
        return (load, Int(values[6]))
    }
}
