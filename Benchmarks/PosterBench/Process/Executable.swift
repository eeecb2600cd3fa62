import Glibc

/// Programs of the system.
enum Executable {
    /// Where `name` is; `/usr/sbin` counts as a part of PATH, because Debian's nginx is there.
    static func path(of name: String) -> String? {
        let folders = (getenv("PATH").map { String(cString: $0) } ?? "").split(separator: ":").map(String.init)
        return (folders + ["/usr/sbin"]).map { "\($0)/\(name)" }.first { access($0, X_OK) == 0 }
    }
}
