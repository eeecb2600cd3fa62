@testable import RedisClient

extension FuzzTarget {
    /// Replies of Redis: they do not depend on the sizes of the parts in which they arrive.
    static let replies = FuzzTarget(
        "replies",
        words: [
            "\r\n", "*1\r\n", "*-1\r\n", "$-1\r\n", "$3\r\n", ":1\r\n", "+", "-ERR ", "*", "$", ":", "_", "#t", ",1.5",
            "%1", "~1", "=",
        ],
        seeds: [
            "\u{3}+OK\r\n", "\u{3}-ERR x\r\n", "\u{1}:-12\r\n", "\u{5}$3\r\nabc\r\n$-1\r\n",
            "\u{2}*2\r\n*1\r\n:1\r\n$0\r\n\r\n",
            "\u{7}*-1\r\n*0\r\n",
            "\u{1}*3\r\n$1\r\n1\r\n*2\r\n$15\r\n1700000000000-0\r\n*2\r\n+kind\r\n+purged\r\n:5\r\n",
        ]
    ) { bytes in
        var input = FuzzInput(bytes)
        let length = input.number(below: 64) + 1
        let text = input.rest()
        let whole = replies(to: [text])
        // Feeding bytes singly scans an unfinished line once for each.
        guard text.count < 2048 else { return }
        let parts = stride(from: 0, to: text.count, by: length).map { Array(text[$0..<min($0 + length, text.count)]) }
        let split = replies(to: parts)
        check(whole.replies == split.replies, "\(whole.replies) differs from \(split.replies)")
        check(whole.isBroken == split.isBroken, "only one of two ways fails")
        guard !whole.isBroken else { return }
        // A command with the strings of an array is encoded, and read back.
        for case .array(let elements) in whole.replies {
            let arguments = elements.compactMap(\.bytesValue)
            guard arguments.count == elements.count, let name = arguments.first, !name.isEmpty,
                let text = String(validating: name, as: UTF8.self)
            else { continue }
            let command = RedisCommand(text, arguments: Array(arguments.dropFirst()))
            let read = replies(to: [Array(command.encoded.readableBytesView)])
            check(read.replies == [.array(elements)], "a command is not read back")
        }
    }

    /// The replies up to the first failure.
    static func replies(to parts: [[UInt8]]) -> (replies: [RedisReply], isBroken: Bool) {
        var limits = ReplyLimits()
        limits.byteCount = 4096
        limits.elementCount = 100
        var replies: [RedisReply] = []
        do throws(RedisFailure) {
            let parser = try ReplyParser(limits)
            for part in parts {
                var failure: RedisFailure?
                part.withUnsafeBytes { bytes in
                    do throws(RedisFailure) { try parser.feed(bytes) } catch { failure = error }
                }
                if let failure { throw failure }
                while let reply = try parser.next() { replies.append(reply) }
            }
            return (replies, false)
        } catch {
            return (replies, true)
        }
    }
}
