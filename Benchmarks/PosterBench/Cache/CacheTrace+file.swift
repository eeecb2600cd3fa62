extension CacheTrace {
    /// Reads a recorded trace in one of two formats, line by line:
    /// - `key bytes`, with a key without blanks;
    /// - an access log in the combined format of nginx and Apache: successful `GET` requests with a body count, the
    ///   path is the key, and the bytes sent are the size.
    ///
    /// Skips empty lines and lines that begin with `#`. A key's size is the largest one that occurs.
    ///
    /// - Throws: ``BenchError`` if the file cannot be read, has a line in neither format, or contains no request.
    init(file path: String) throws(BenchError) {
        var (requests, bytes): ([UInt32], [UInt32]) = ([], [])
        var keys: [Substring: Int] = [:]
        for line in try TextFile.lines(path) where !line.hasPrefix("#") {
            let request: (key: Substring, bytes: UInt32)?
            do throws(BenchError) {
                request = try Self.request(in: line)
            } catch {
                throw BenchError("\(path): \"\(line.prefix(60))\" \(error)")
            }
            guard let request else { continue }
            let key = keys[request.key] ?? keys.count
            if key == keys.count {
                keys[request.key] = key
                bytes.append(0)
            }
            bytes[key] = max(bytes[key], request.bytes)
            requests.append(UInt32(key))
        }
        guard !requests.isEmpty else { throw BenchError("\(path) has no request") }
        let name = path.split(separator: "/").last.map { $0.split(separator: ".").first ?? $0 } ?? ""
        self.init(name: String(name), requests: requests, bytes: bytes)
    }

    /// - Returns: `nil` for a log line of a request that no cache would answer.
    private static func request(in line: Substring) throws(BenchError) -> (key: Substring, bytes: UInt32)? {
        let quoted = line.split(separator: "\"", maxSplits: 2, omittingEmptySubsequences: false)
        guard quoted.count == 3 else {
            let words = line.split(separator: " ")
            guard words.count == 2, let bytes = UInt32(words[1]) else { throw BenchError("is not `key bytes`") }
            return (words[0], bytes)
        }
        // host - user [time] "GET /path HTTP/1.1" 200 1234 "referrer" "agent"
        let (words, numbers) = (quoted[1].split(separator: " "), quoted[2].split(separator: " "))
        guard numbers.count >= 2, let status = Int(numbers[0]) else { throw BenchError("is not an access log line") }
        guard words.count >= 2, words[0] == "GET", status == 200, let bytes = UInt32(numbers[1]), bytes > 0 else {
            return nil
        }
        return (words[1], bytes)
    }
}
