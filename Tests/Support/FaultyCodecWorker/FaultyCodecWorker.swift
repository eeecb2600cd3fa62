import CCodecTesting
import CodecWorkers
import Glibc

/// A worker for tests that simulates a compromised decoder: an original that contains the name of a fault triggers it.
@main
enum FaultyCodecWorker {
    static func main() {
        CodecWorker.run { original in
            PlantedFault(plantedIn: original)?.happen(in: original)
        }
    }
}

enum PlantedFault: String, CaseIterable {
    case segfault
    case trap
    case abort
    case endlessLoop
    case endlessSleep
    case hugeAllocation
    case stackOverflow
    case writesEverywhere
    case opensFile
    case opensSocket
    case executes
    case forks
    case tracesParent
    case signalsParent
    case executableMemory
    case malformedMessage
    case longMessage
    case exits
    case sharedMemory
    case growingStack
    case mapsFiles
    case blocksSignals
    /// Sends the message that the original contains in hexadecimal digits, before the reply.
    case sends
    /// Truncates every file that it may write to, as another process could truncate an original, and reads on.
    case cutsShort

    private static let prefix = "onesheet-fault:"
    private static let suffix = ";"
    /// Ends the hexadecimal digits of ``sends``.
    static let end = UInt8(ascii: ".")

    /// Searches the original's first 4096 bytes, for example a comment.
    init?(plantedIn original: UnsafeRawBufferPointer) {
        let bytes = UnsafeRawBufferPointer(rebasing: original.prefix(4096))
        let length = Self.prefix.utf8.count
        var start = 0
        while start + length <= bytes.count, memcmp(bytes.baseAddress! + start, Self.prefix, length) != 0 { start += 1 }
        guard start + length <= bytes.count else { return nil }
        start += length
        let name = bytes[start...].prefix { $0 != UInt8(ascii: ";") }
        self.init(rawValue: String(decoding: name.prefix(40), as: UTF8.self))
    }

    func happen(in original: UnsafeRawBufferPointer) {
        switch self {
        case .segfault: UnsafeMutablePointer<Int>(bitPattern: 16)!.pointee = 1
        case .trap: fatalError("planted")
        case .abort: Glibc.abort()
        case .endlessLoop: while Self.isEndless {}
        case .endlessSleep: while Self.isEndless { poll(nil, 0, 1000) }
        case .hugeAllocation:
            let memory = malloc(8 << 30)!
            memset(memory, 1, 8 << 30)
        case .stackOverflow: _ = Self.recurse(1)
        case .writesEverywhere:
            var bytes = [UInt8](repeating: 0x55, count: 4096)
            for descriptor in Int32(0)..<1024 { _ = write(descriptor, &bytes, bytes.count) }
        case .opensFile: Self.expect(open("/etc/passwd", O_RDONLY))
        case .opensSocket: Self.expect(socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0))
        case .executes: Self.execute()
        case .tracesParent: Self.expect(fault_trace_parent())
        case .forks: Self.expect(fault_fork())
        case .signalsParent: Self.expect(kill(getppid(), SIGURG))
        case .executableMemory:
            _ = mmap(nil, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
        case .malformedMessage:
            var bytes = Array("OSCW".utf8) + [UInt8](repeating: 0xFF, count: 60)
            _ = write(3, &bytes, bytes.count)
        case .longMessage:
            var bytes = [UInt8](repeating: 0, count: 100_000)
            _ = write(3, &bytes, bytes.count)
        case .exits: exit(7)
        case .sharedMemory:
            _ = mmap(nil, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0)
        case .growingStack:
            _ = mmap(nil, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | 0x100, -1, 0)
        case .mapsFiles: Self.expect(fault_map_files())
        case .blocksSignals:
            var all = sigset_t()
            sigfillset(&all)
            Self.expect(sigprocmask(SIG_BLOCK, &all, nil))
        case .sends: Self.send(in: original)
        case .cutsShort:
            for descriptor in Int32(0)..<64 { _ = ftruncate(descriptor, 0) }
            // A JPEG ends with this byte, if it is still readable.
            if original[original.count - 1] != 0xD9 { exit(9) }
        }
    }

    /// Unknown to the optimizer.
    private static var isEndless: Bool { getpagesize() > 0 }

    private static func recurse(_ depth: Int) -> Int {
        var bytes = [depth, depth + 1]
        bytes[depth & 1] += getpagesize() > 0 ? Self.recurse(depth + 1) : 0
        return bytes[0] + bytes[1]
    }

    private static func send(in original: UnsafeRawBufferPointer) {
        let mark = Array((Self.prefix + Self.sends.rawValue + Self.suffix).utf8)
        guard let start = original.indices.first(where: { original[$0...].starts(with: mark) }) else { return }
        let digits = original[(start + mark.count)...].prefix { $0 != Self.end }.map { $0 & 0xF + ($0 > 57 ? 9 : 0) }
        var bytes = stride(from: 0, to: digits.count - 1, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
        _ = write(3, &bytes, bytes.count)
    }

    /// Exits with status 99 if a call that must fail succeeded, otherwise with 98.
    private static func expect(_ result: Int32) {
        exit(result >= 0 ? 99 : 98)
    }

    private static func execute() {
        var arguments: [UnsafeMutablePointer<CChar>?] = [strdup("true"), nil]
        var environment: [UnsafeMutablePointer<CChar>?] = [nil]
        Self.expect(execve("/bin/true", &arguments, &environment))
    }
}
