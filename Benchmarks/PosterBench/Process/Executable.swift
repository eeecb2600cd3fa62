import Glibc

enum Executable {
    /// The path of `name`; also searches `/usr/sbin`, where Debian's nginx is.
    static func path(of name: String) -> String? {
        let folders = (getenv("PATH").map { String(cString: $0) } ?? "").split(separator: ":").map(String.init)
        return (folders + ["/usr/sbin"]).map { "\($0)/\(name)" }.first { access($0, X_OK) == 0 }
    }
}
