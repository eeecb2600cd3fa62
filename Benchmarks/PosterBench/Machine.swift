import Glibc
import PosterCodec

/// What the figures depend on beside the input.
struct Machine: Encodable {
    let cpu: String
    let cores: Int
    let system: String
    /// `CodecVersion.current`, which names libjpeg-turbo and libwebp with their versions.
    let codec: String
    let kernels: String

    static var current: Machine {
        Machine(
            cpu: self.value(of: "model name", in: "/proc/cpuinfo") ?? "unknown CPU",
            cores: sysconf(Int32(_SC_NPROCESSORS_ONLN)),
            system: self.value(of: "PRETTY_NAME", in: "/etc/os-release") ?? "unknown system",
            codec: CodecVersion.current,
            kernels: CodecVersion.kernels
        )
    }

    var text: String {
        "\(self.cores) × \(self.cpu), \(self.system); codec \(self.codec), \(self.kernels) kernels"
    }

    /// The first value of a `key: value` or `key="value"` line; nil when there is none.
    private static func value(of key: String, in path: String) -> String? {
        guard let line = try? TextFile.lines(path).first(where: { $0.hasPrefix(key) }) else { return nil }
        let value = line.drop { $0 != ":" && $0 != "=" }.dropFirst()
        return String(value.drop { $0 == " " || $0 == "\"" }.prefix { $0 != "\"" })
    }
}
