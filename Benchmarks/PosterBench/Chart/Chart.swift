/// A picture of figures that can be read without their table.
protocol Chart {
    /// The file's name without its extension, such as "memory-368".
    var name: String { get }
    /// The whole file.
    var svg: String { get }
}
