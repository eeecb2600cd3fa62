import Glibc

/// A kind of load with its own servers.
protocol ServeCase {
    var stepCount: Int { get }

    func measure(_ progress: inout Progress) throws -> Outcome
}

struct ServeSettings {
    /// Path of `onesheet`.
    let program: String
    /// Numbers of concurrent connections to measure.
    let connections: [Int]
    /// Duration of one measurement of one server.
    let seconds: Int
    let rounds: Int
    /// The `Accept` field of requests for hits; `nil` omits it.
    let accept: String?
    let folder: String

    func folder(_ name: String) throws(BenchError) -> String {
        let path = "\(self.folder)/\(name)"
        guard mkdir(path, 0o700) == 0 else {
            throw BenchError("cannot make the folder \(path): \(String(cString: strerror(errno)))")
        }
        return path
    }
}
