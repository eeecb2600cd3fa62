package import NIOCore

/// A value that can be sent as an argument of a command.
package protocol RedisArgument: Sendable {
    var redisBytes: [UInt8] { get }
}

extension String: RedisArgument {
    package var redisBytes: [UInt8] { Array(self.utf8) }
}

extension Int: RedisArgument {
    package var redisBytes: [UInt8] { Array(String(self).utf8) }
}

extension Int64: RedisArgument {
    package var redisBytes: [UInt8] { Array(String(self).utf8) }
}

extension [UInt8]: RedisArgument {
    package var redisBytes: [UInt8] { self }
}

/// A command with its arguments; binary safe.
package struct RedisCommand: Hashable, Sendable {
    /// The command's name, also in metrics.
    package let name: String
    private let arguments: [[UInt8]]

    package init(_ name: String, _ arguments: any RedisArgument...) {
        self.init(name, arguments: arguments.map(\.redisBytes))
    }

    package init(_ name: String, arguments: [[UInt8]]) {
        self.name = name
        self.arguments = arguments
    }

    /// The request in the Redis protocol: an array of bulk strings.
    package var encoded: ByteBuffer {
        // `$1048576\r\n` and the final `\r\n`.
        let overhead = 16
        var buffer = ByteBuffer()
        buffer.reserveCapacity(self.arguments.reduce(self.name.utf8.count + 2 * overhead) { $0 + $1.count + overhead })
        buffer.writeString("*\(self.arguments.count + 1)\r\n$\(self.name.utf8.count)\r\n\(self.name)\r\n")
        for argument in self.arguments {
            buffer.writeString("$\(argument.count)\r\n")
            buffer.writeBytes(argument)
            buffer.writeString("\r\n")
        }
        return buffer
    }
}
