/// The cost and the size of one poster.
struct Rendering {
    var times = StageTimes<UInt64>()
    /// The poster's size in pixels.
    var width = 0
    var height = 0
    var outputBytes = 0
}
