import CCodecTesting
import CodecWorkers
import Glibc

/// A worker that has a fault when an original contains the name of one, for tests: what a decoder that was taken over could do.
@main
enum FaultyCodecWorker {
    static func main() {
        CodecWorker.run { original in
            guard let fault = PlantedFault.allCases.first(where: { $0.isPlanted(in: original) }) else { return }
            fault.happen()
        }
    }
}

/// What a worker with a fault does.
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

    private static let prefix = "onesheet-fault:"
    private static let suffix = ";"

    /// Looked for in the first bytes, such as in a comment.
    func isPlanted(in original: UnsafeRawBufferPointer) -> Bool {
        let mark = Array((Self.prefix + self.rawValue + Self.suffix).utf8)
        let prefix = original.prefix(4096)
        return prefix.indices.contains { prefix[$0...].starts(with: mark) }
    }

    func happen() {
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
        }
    }

    /// Unknown to the optimizer.
    private static var isEndless: Bool { getpagesize() > 0 }

    private static func recurse(_ depth: Int) -> Int {
        var bytes = [depth, depth + 1]
        bytes[depth & 1] += getpagesize() > 0 ? Self.recurse(depth + 1) : 0
        return bytes[0] + bytes[1]
    }

    /// What should be impossible ends with a status of its own when it was possible.
    private static func expect(_ result: Int32) {
        exit(result >= 0 ? 99 : 98)
    }

    private static func execute() {
        var arguments: [UnsafeMutablePointer<CChar>?] = [strdup("true"), nil]
        var environment: [UnsafeMutablePointer<CChar>?] = [nil]
        Self.expect(execve("/bin/true", &arguments, &environment))
    }
}
