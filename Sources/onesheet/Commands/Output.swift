import FoundationEssentials
import Glibc
import PosterCodec
import PosterOrigins
import PosterPipeline

/// JSON for machines: one object on one line.
enum JSONLine {
    static func encode(_ value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(value), as: UTF8.self)
    }
}

/// Lines that are the result of a command.
enum StandardOutput {
    /// - Throws: ``FileError`` when nobody could read the line.
    static func write(_ line: String) throws {
        try AtomicFile.append(Array((line + "\n").utf8), to: STDOUT_FILENO, named: "standard output")
    }
}

/// Lines for people who watch for trouble.
enum StandardError {
    static func write(_ line: String) {
        var text = line + "\n"
        // A failure to complain has nobody left to complain to.
        _ = text.withUTF8 { Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count) }
    }
}

/// Errors as the end of a sentence that begins with a file's name.
enum ErrorText {
    static func describe(_ error: any Error) -> String {
        switch error {
        case let error as CodecError: self.describe(error)
        default: "\(error)"
        }
    }

    private static func describe(_ error: CodecError) -> String {
        switch error {
        case .notAnImage(let seems): "not an image: \(seems)"
        case .unsupported(let kind): "\(kind) is not decoded; gray and Y'CbCr JPEG are"
        case .truncated: "the file ends before the picture does"
        case .damaged(let reason): "damaged: \(reason)"
        case .overLimit(let name, let value, let limit):
            "over the limit of \(name.rawValue): \(value), allowed \(limit)"
        case .sideTooLong(let pixels, let limit):
            "the picture would be \(pixels) pixels long on one side, allowed \(limit); ask for a smaller width"
        case .unencodable(let reason): "cannot be encoded: \(reason)"
        case .stopped: "stopped"
        case .outOfMemory: "out of memory"
        }
    }
}
