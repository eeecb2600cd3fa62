import Glibc

/// A parser of untrusted bytes, and its invariants.
struct FuzzTarget: Sendable {
    let name: String
    /// Words and signs of the grammar, for libFuzzer's dictionary.
    let words: [String]
    /// Valid inputs, from which libFuzzer starts.
    let seeds: @Sendable () throws -> [[UInt8]]
    /// Times below this say nothing about growth.
    let leastNanoseconds: UInt64
    /// Parses an input; ends the process if an invariant is violated.
    let run: @Sendable ([UInt8]) -> Void

    static let all: [FuzzTarget] = [
        .fields, .urls, .pictures, .paths, .head, .json, .xml, .replies, .messages, .events, .files, .forms, .http1,
        .http2,
    ]

    init(
        _ name: String, words: [String], leastMilliseconds: UInt64 = 50,
        seeds: @escaping @Sendable () throws -> [[UInt8]], run: @escaping @Sendable ([UInt8]) -> Void
    ) {
        self.leastNanoseconds = leastMilliseconds * 1_000_000
        self.name = name
        self.words = words
        self.seeds = seeds
        self.run = run
    }

    /// - Parameter seeds: Texts, as inputs in UTF-8.
    init(_ name: String, words: [String], seeds: [String], run: @escaping @Sendable ([UInt8]) -> Void) {
        self.init(name, words: words, seeds: { seeds.map { Array($0.utf8) } }, run: run)
    }

    /// Writes `NAME.dict` and one file per seed to `NAME` in a folder.
    func write(to folder: String) throws {
        mkdir("\(folder)/\(self.name)", 0o755)
        let lines = self.words.enumerated().map { number, word in
            let text = word.utf8.map { byte in
                let isPlain = (0x20...0x7E).contains(byte) && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
                return isPlain ? String(UnicodeScalar(byte)) : "\\x" + String(Int(byte) + 256, radix: 16).dropFirst()
            }
            return "w\(number)=\"\(text.joined())\"\n"
        }
        Self.write(Array(lines.joined().utf8), to: "\(folder)/\(self.name).dict")
        for (number, seed) in try self.seeds().enumerated() {
            Self.write(seed, to: "\(folder)/\(self.name)/seed-\(number)")
        }
    }

    private static func write(_ bytes: [UInt8], to path: String) {
        guard let file = fopen(path, "w"), fwrite(bytes, 1, bytes.count, file) == bytes.count, fclose(file) == 0 else {
            fatalError("cannot write \(path)")
        }
    }
}

/// Ends the process with a message unless the condition holds.
func check(_ condition: Bool, _ message: @autoclosure () -> String) {
    guard !condition else { return }
    print("INVARIANT VIOLATED: \(message())")
    fflush(nil)
    abort()
}
