import Glibc

/// One kind of load, with servers of its own.
protocol ServeCase {
    /// How many steps of progress it takes.
    var stepCount: Int { get }

    func measure(_ progress: inout Progress) throws -> Outcome
}

/// What all kinds of load have in common.
struct ServeSettings {
    /// `onesheet`
    let program: String
    /// Each at once.
    let connections: [Int]
    /// Of one measurement of one server.
    let seconds: Int
    let rounds: Int
    /// The `Accept` of requests for hits; nil for none.
    let accept: String?
    /// A folder for servers' data.
    let folder: String

    /// A folder of `name`'s own below ``folder``.
    func folder(_ name: String) throws(BenchError) -> String {
        let path = "\(self.folder)/\(name)"
        guard mkdir(path, 0o700) == 0 else {
            throw BenchError("cannot make the folder \(path): \(String(cString: strerror(errno)))")
        }
        return path
    }
}
