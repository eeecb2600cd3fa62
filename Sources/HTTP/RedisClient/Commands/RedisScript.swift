import Cryptography

/// A Lua script, which Redis runs as one step.
///
/// It is sent by its SHA-1, and whole when the server does not have it, as after a restart. For Redis Cluster all keys of a
/// call need the same hash tag.
package struct RedisScript: Sendable {
    package let text: String
    /// In hexadecimal.
    package let digest: String

    package init(_ text: String) {
        self.text = text
        let digits = Array("0123456789abcdef".utf8)
        // What Redis names scripts by, not a protection of anything.
        let bytes = SHA1.hash(data: text.utf8).flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
        self.digest = String(decoding: bytes, as: UTF8.self)
    }

    /// - Parameter isWhole: Whether the script's text is sent, not its digest.
    func command(keys: [String], _ arguments: [any RedisArgument], isWhole: Bool) -> RedisCommand {
        let words: [any RedisArgument] = [isWhole ? self.text : self.digest, keys.count] + keys + arguments
        return RedisCommand(isWhole ? "EVAL" : "EVALSHA", arguments: words.map(\.redisBytes))
    }
}
