import GRDB

extension LibraryDatabase {
    /// How it has been doing.
    public struct State: Hashable, Sendable {
        /// Whether it could be read the last time.
        public let isReadable: Bool
        /// Whether it could be written the last time.
        public let isWritable: Bool
    }

    /// How it has been doing. Waits for nothing.
    ///
    /// While there is trouble, asking makes somebody try, at most every ten seconds: a server that gets no requests for it
    /// would else never find out that it is over.
    public var state: State {
        if self.health.wantsTrial() {
            Task {
                // What comes of it is told by whom they ask.
                try? await self.reading { db in
                    for table in ["favourite", "session", "localAccount"] {
                        _ = try Row.fetchOne(db, sql: "SELECT * FROM \(table) LIMIT 1")
                    }
                }
                try? await self.writing { db in try db.execute(sql: "UPDATE favouriteCount SET total = total") }
            }
        }
        return State(isReadable: self.health.works(.reading), isWritable: self.health.works(.writing))
    }
}
