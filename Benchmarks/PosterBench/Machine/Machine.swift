import FoundationEssentials
import Glibc
import PosterCodec

/// The environment that the figures depend on, apart from the input.
struct Machine: Codable, Equatable {
    let cpu: String
    let cores: Int
    let system: String
    /// `CodecVersion.current`, which names the codecs' libraries with their versions.
    let codec: String
    let kernels: String
    /// The commit of the working copy, with "+" if it has changes; `nil` outside a repository.
    let commit: String?
    /// In UTC, RFC 3339.
    let date: String

    static let current = Machine(
        cpu: Self.value(of: "model name", in: "/proc/cpuinfo") ?? "unknown CPU",
        cores: sysconf(Int32(_SC_NPROCESSORS_ONLN)),
        system: Self.value(of: "PRETTY_NAME", in: "/etc/os-release") ?? "unknown system",
        codec: CodecVersion.current,
        kernels: CodecVersion.kernels,
        commit: Self.commit,
        date: Date.now.formatted(.iso8601)
    )

    var text: String {
        let commit = self.commit.map { ", commit \($0)" } ?? ""
        return
            "\(self.cores) × \(self.cpu), \(self.system); codec \(self.codec), \(self.kernels) kernels\(commit); \(self.date)"
    }

    /// Whether instruction counts are comparable.
    func runsTheSameCode(as other: Machine) -> Bool {
        (self.cpu, self.codec, self.kernels, self.system) == (other.cpu, other.codec, other.kernels, other.system)
    }

    private static var commit: String? {
        guard let head = Command.output(["git", "rev-parse", "--short=10", "HEAD"])?.split(separator: "\n").first
        else { return nil }
        let isChanged = Command.output(["git", "status", "--porcelain", "--untracked-files=no"])?.isEmpty == false
        return head + (isChanged ? "+" : "")
    }

    /// The first value of a `key: value` or `key="value"` line; `nil` if there is none.
    private static func value(of key: String, in path: String) -> String? {
        guard let line = try? TextFile.lines(path).first(where: { $0.hasPrefix(key) }) else { return nil }
        let value = line.drop { $0 != ":" && $0 != "=" }.dropFirst()
        return String(value.drop { $0 == " " || $0 == "\"" || $0 == "\t" }.prefix { $0 != "\"" })
    }
}
